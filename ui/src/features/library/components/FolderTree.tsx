import { Folder as FolderIcon, FolderOpen, Library } from 'lucide-react';
import { useMemo } from 'react';
import { Tree } from '@/components/Tree';
import type { TreeNode } from '@/lib/tree';
import type { Folder } from '@/lib/wire';
import { dropOn } from '../drag';
import { TOP, totalsOf, treeOf } from '../folders';

interface FolderTreeProps {
  label: string;
  folders: readonly Folder[];
  selected: string;
  onSelect: (id: string) => void;
  /** Documents and folders of ours that were dragged onto a folder. */
  onDropOn?: (id: string) => void;
}

function iconOf({ id }: TreeNode, isOpen: boolean) {
  const Icon = id === TOP ? Library : isOpen ? FolderOpen : FolderIcon;
  return <Icon aria-hidden className="size-4 shrink-0" />;
}

/** All folders as a tree. */
export function FolderTree({ label, folders, selected, onSelect, onDropOn }: FolderTreeProps) {
  const nodes = useMemo(() => treeOf(folders), [folders]);
  const counts = useMemo(() => totalsOf(folders), [folders]);
  return (
    <Tree
      label={label}
      nodes={nodes}
      selected={selected}
      onSelect={onSelect}
      renderIcon={iconOf}
      renderNote={({ id }) =>
        (counts.get(id) ?? 0) > 0 && <span className="text-xs text-ink-3 tabular-nums">{counts.get(id)}</span>
      }
      {...(onDropOn && { rowProps: ({ id }) => dropOn(() => onDropOn(id)) })}
    />
  );
}
