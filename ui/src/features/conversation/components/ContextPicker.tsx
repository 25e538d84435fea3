import { useQuery } from '@tanstack/react-query';
import { FileText, Folder, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '@/components/Button';
import { Dialog } from '@/components/Dialog';
import { Loaded } from '@/components/Loaded';
import type { ContextReference } from '@/lib/conversationWire';
import { choicesQuery } from '../choices';
import { fileReference, folderReference } from '../references';

/** Puts a file or a folder in focus: the answer is then looked for in it alone. */
export function ContextPicker({ onPick }: { onPick: (reference: ContextReference) => void }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look="ghost" className="h-7 px-2 text-xs" onClick={() => setOpen(true)}>
        <Plus aria-hidden className="size-3.5" /> Focus
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        title="Put in focus"
        description="The answer is looked for in these files and folders alone."
      >
        <Choices
          onPick={(reference) => {
            onPick(reference);
            setOpen(false);
          }}
        />
      </Dialog>
    </>
  );
}

function Choices({ onPick }: { onPick: (reference: ContextReference) => void }) {
  const [name, setName] = useState('');
  const query = useQuery(choicesQuery(name.trim()));
  const choices = [
    ...(query.data?.folders ?? []).map((folder) => ({
      id: folder.id,
      path: folder.path,
      icon: <Folder />,
      reference: folderReference(folder),
    })),
    ...(query.data?.documents ?? []).map((document) => ({
      id: document.id,
      path: document.path,
      icon: <FileText />,
      reference: fileReference(document),
    })),
  ];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <input
        data-autofocus
        aria-label="Name of a file or folder"
        placeholder="Name of a file or folder…"
        value={name}
        autoComplete="off"
        onChange={(event) => setName(event.target.value)}
        className="h-9 rounded-md border border-line-strong bg-surface px-3 text-base hover:border-ink-2"
      />
      <Loaded
        query={query}
        items={choices}
        empty={
          <p className="text-sm text-ink-2">
            {name === '' ? 'The library is empty.' : 'No file or folder has such a name.'}
          </p>
        }
      >
        {(list) => (
          <ul className="grid max-h-80 grid-cols-[minmax(0,1fr)] gap-0.5 overflow-y-auto">
            {list.map(({ id, path, icon, reference }) => (
              <li key={id}>
                <Choice icon={icon} path={path} label={reference.display_label} onPick={() => onPick(reference)} />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </div>
  );
}

function Choice({ icon, label, path, onPick }: { icon: ReactNode; label: string; path: string; onPick: () => void }) {
  return (
    <button
      type="button"
      onClick={onPick}
      className="flex min-h-9 w-full items-center gap-2.5 rounded-md px-2 text-left text-sm hover:bg-hover focus-visible:-outline-offset-2 coarse:min-h-11"
    >
      <span aria-hidden className="text-ink-3 [&>svg]:size-4">
        {icon}
      </span>
      <bdi className="min-w-0 flex-1 truncate">{label}</bdi>
      <span className="max-w-[45%] truncate text-xs text-ink-3">{path}</span>
    </button>
  );
}
