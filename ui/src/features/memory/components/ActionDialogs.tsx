import { ConfirmDialog } from '@/components/ConfirmDialog';
import { toast } from '@/lib/announce';
import type { Alias, GraphNode, NodeHistory } from '@/lib/memoryWire';
import type { Wish } from '../acts';
import { useSplitNode } from '../api';
import type { Opened } from '../place';
import { AddDialog } from './AddDialog';
import { CorrectDialog } from './CorrectDialog';
import { EndDialog } from './EndDialog';
import { ForgetDialog } from './ForgetDialog';
import { MergeDialog } from './MergeDialog';
import { TypesDialog } from './TypesDialog';

interface ActionDialogsProps {
  wish: Wish | null;
  /** Where a new message goes unless someone says otherwise. */
  group: string;
  groups: readonly string[];
  /** What a node can be merged with. */
  nodes: readonly GraphNode[];
  onDone: () => void;
  /** What stood beside the page is gone. */
  onGone: () => void;
  /** Something else took its place. */
  onOpen: (opened: Opened) => void;
  /** A message was added to a group. */
  onAdded: (group: string) => void;
}

/** The dialog for what was wished, if anything was. */
export function ActionDialogs({ wish, group, groups, nodes, onDone, onGone, onOpen, onAdded }: ActionDialogsProps) {
  switch (wish?.do) {
    case undefined:
      return null;
    case 'add':
      return <AddDialog group={group} groups={groups} onDone={onDone} onAdded={onAdded} />;
    case 'types':
      return <TypesDialog group={wish.group} onDone={onDone} />;
    case 'edit':
      return <CorrectDialog fact={wish.fact} onDone={onDone} onCorrected={(fact) => onOpen({ fact })} />;
    case 'end':
      return <EndDialog fact={wish.fact} onDone={onDone} onEnded={(fact) => onOpen({ fact })} />;
    case 'merge':
      return <MergeDialog node={wish.node} nodes={nodes} onDone={onDone} onMerged={(node) => onOpen({ node })} />;
    case 'split':
      return <SplitDialog node={wish.node} alias={wish.alias} onDone={onDone} />;
    case 'forget':
      return <ForgetDialog target={wish.target} onDone={onDone} onGone={onGone} />;
    default:
      wish satisfies never;
      return null;
  }
}

function SplitDialog({ node, alias, onDone }: { node: NodeHistory; alias: Alias; onDone: () => void }) {
  const split = useSplitNode(node.id);
  return (
    <ConfirmDialog
      title={
        <>
          Split “<bdi>{alias.name}</bdi>” off?
        </>
      }
      consequence={
        <>
          “<bdi>{alias.name}</bdi>” becomes a node of its own again, with the facts that were told under that name. “
          <bdi>{node.name}</bdi>” keeps the rest.
        </>
      }
      action="Split"
      onClose={onDone}
      onConfirm={async () => {
        await split.mutateAsync({ alias: alias.id, reason: '' });
        toast(`“${alias.name}” is a node of its own again.`);
      }}
    />
  );
}
