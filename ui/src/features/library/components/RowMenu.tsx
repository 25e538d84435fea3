import { useNavigate } from '@tanstack/react-router';
import {
  Download,
  FolderInput,
  History,
  MessageCircleQuestion,
  MoreHorizontal,
  Pencil,
  RefreshCw,
  Trash2,
} from 'lucide-react';
import { IconButton } from '@/components/Button';
import { Menu, MenuItem, MenuLine } from '@/components/Menu';
import { toast } from '@/lib/announce';
import { download } from '@/lib/download';
import { messageOf } from '@/lib/problem';
import type { Document } from '@/lib/wire';
import { useSync } from '../api';
import { type Entry, nameOf } from '../entries';

/** What a row's menu may ask of the page. */
export interface MenuActs {
  readonly versions: (document: Document) => void;
  readonly rename: (entry: Entry) => void;
  readonly move: (entry: Entry) => void;
  readonly remove: (entry: Entry) => void;
}

interface RowMenuProps {
  entry: Entry;
  acts: MenuActs;
  mayChange: boolean;
}

function tell(error: unknown): void {
  toast(messageOf(error), 'bad');
}

/** What can be done with one row. */
export function RowMenu({ entry, acts, mayChange }: RowMenuProps) {
  const sync = useSync();
  const navigate = useNavigate();
  const document = entry.type === 'document' ? entry.document : null;
  if (document === null && !mayChange) return null;
  return (
    <Menu
      align="end"
      trigger={
        <IconButton label={`More for ${nameOf(entry)}`} className="relative z-10">
          <MoreHorizontal aria-hidden className="size-4" />
        </IconButton>
      }
    >
      {document !== null && (
        <>
          <MenuItem
            icon={<Download aria-hidden />}
            onSelect={() => void download(`/api/v1/documents/${document.id}/content`, document.name).catch(tell)}
          >
            Download
          </MenuItem>
          <MenuItem icon={<History aria-hidden />} onSelect={() => acts.versions(document)}>
            Versions
          </MenuItem>
        </>
      )}
      {document?.source_type === 'web' && mayChange && (
        <MenuItem
          icon={<RefreshCw aria-hidden />}
          onSelect={() =>
            sync.mutate(document.id, { onError: tell, onSuccess: () => toast(`“${document.name}” is up to date.`) })
          }
        >
          Fetch again
        </MenuItem>
      )}
      {mayChange && (
        <>
          <MenuItem
            icon={<MessageCircleQuestion aria-hidden />}
            onSelect={() =>
              void navigate({
                to: '/',
                search: entry.type === 'folder' ? { folder: entry.folder.path } : { file: entry.document.id },
              })
            }
          >
            Ask about this
          </MenuItem>
          <MenuLine />
          <MenuItem icon={<Pencil aria-hidden />} onSelect={() => acts.rename(entry)}>
            Rename…
          </MenuItem>
          <MenuItem icon={<FolderInput aria-hidden />} onSelect={() => acts.move(entry)}>
            Move…
          </MenuItem>
          <MenuLine />
          <MenuItem icon={<Trash2 aria-hidden />} onSelect={() => acts.remove(entry)}>
            Delete…
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
