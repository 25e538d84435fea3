import { CircleCheck, FileUp, FolderOpen } from 'lucide-react';
import { EmptyState } from '@/components/EmptyState';
import type { Wish } from '../entries';
import type { LibrarySearch } from '../filters';
import { Invitation } from './Invitation';

interface EmptyFolderProps {
  isTop: boolean;
  search: LibrarySearch;
  mayChange: boolean;
  onWish: (wish: Wish) => void;
}

/** Says what is not there, and invites to bring it. */
export function EmptyFolder({ isTop, search, mayChange, onWish }: EmptyFolderProps) {
  if (search.only !== undefined) {
    return (
      <EmptyState
        icon={<CircleCheck />}
        title={search.only === 'failed' ? 'Every file could be read' : 'No file is being read'}
      />
    );
  }
  if (!mayChange)
    return <EmptyState icon={<FolderOpen />} title={isTop ? 'The library is empty' : 'This folder is empty'} />;
  if (isTop) return <Invitation onWish={onWish} />;
  return (
    <EmptyState icon={<FileUp />} title="This folder is empty">
      Drop files or folders anywhere on this page, or use Add.
    </EmptyState>
  );
}
