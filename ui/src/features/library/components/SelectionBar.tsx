import { FolderInput, Trash2, X } from 'lucide-react';
import { Button, IconButton } from '@/components/Button';
import { type Entry, summaryOf, type Wish } from '../entries';

interface SelectionBarProps {
  entries: readonly Entry[];
  total: number;
  onWish: (wish: Wish) => void;
  onAll: () => void;
  onClear: () => void;
}

/** What can be done with the chosen rows. */
export function SelectionBar({ entries, total, onWish, onAll, onClear }: SelectionBarProps) {
  return (
    <div
      role="toolbar"
      aria-label="Selected"
      className="float-in sticky bottom-4 z-10 mx-auto mt-4 flex w-fit max-w-full items-center gap-1.5 rounded-lg bg-surface py-2 pr-2 pl-4 text-sm shadow-float @max-2xl:[&>button>svg]:hidden @max-2xl:[&>button:last-child>svg]:block"
    >
      <span role="status" className="min-w-0 truncate font-medium">
        {summaryOf(entries)} selected
      </span>
      {entries.length < total && (
        <Button look="ghost" onClick={onAll} className="@max-md:hidden">
          Select all {total}
        </Button>
      )}
      <Button onClick={() => onWish({ do: 'move', entries })}>
        <FolderInput aria-hidden className="size-4" />
        Move…
      </Button>
      <Button look="danger" onClick={() => onWish({ do: 'delete', entries })}>
        <Trash2 aria-hidden className="size-4" />
        Delete…
      </Button>
      <IconButton label="Clear the selection" onClick={onClear}>
        <X aria-hidden className="size-4" />
      </IconButton>
    </div>
  );
}
