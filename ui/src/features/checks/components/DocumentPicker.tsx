import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog } from '@/components/Dialog';
import { FileMark } from '@/components/FileMark';
import { Loaded } from '@/components/Loaded';
import type { Document } from '@/lib/wire';
import { documentChoicesQuery } from '../api';

interface DocumentPickerProps {
  onPick: (document: Document) => void;
  onClose: () => void;
}

/** Chooses a document of the library to be checked. */
export function DocumentPicker({ onPick, onClose }: DocumentPickerProps) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Choose a document"
      description="Its statements are held against the other documents."
    >
      <Choices onPick={onPick} />
    </Dialog>
  );
}

function Choices({ onPick }: Pick<DocumentPickerProps, 'onPick'>) {
  const [name, setName] = useState('');
  const query = useQuery(documentChoicesQuery(name.trim()));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <input
        data-autofocus
        aria-label="Name of a document"
        placeholder="Name of a document…"
        value={name}
        autoComplete="off"
        onChange={(event) => setName(event.target.value)}
        className="h-9 rounded-md border border-line-strong bg-surface px-3 text-base hover:border-ink-2"
      />
      <Loaded
        query={query}
        items={query.data ?? []}
        empty={
          <p className="text-sm text-ink-2">{name === '' ? 'The library is empty.' : 'No document has such a name.'}</p>
        }
      >
        {(documents) => (
          <ul aria-label="Documents" className="grid max-h-80 grid-cols-[minmax(0,1fr)] gap-0.5 overflow-y-auto">
            {documents.map((document) => (
              <li key={document.id}>
                <button
                  type="button"
                  onClick={() => onPick(document)}
                  className="flex min-h-9 w-full items-center gap-2.5 rounded-md px-2 text-left text-sm hover:bg-hover focus-visible:-outline-offset-2 coarse:min-h-11"
                >
                  <FileMark mimeType={document.mime_type} />
                  <bdi className="min-w-0 flex-1 truncate">{document.name}</bdi>
                  <span className="max-w-[45%] truncate text-xs text-ink-3">{document.path}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </div>
  );
}
