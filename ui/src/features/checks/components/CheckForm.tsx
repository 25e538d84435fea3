import { FileText, FileUp, Library, X } from 'lucide-react';
import { type FormEvent, useId, useRef, useState } from 'react';
import { Button, IconButton } from '@/components/Button';
import { FilterChoice } from '@/components/FilterField';
import { Notice } from '@/components/Notice';
import { messageOf } from '@/lib/problem';
import type { Folder } from '@/lib/wire';
import { type Subject, useStartCheck } from '../api';
import { DocumentPicker } from './DocumentPicker';
import { FileDrop } from './FileDrop';

interface CheckFormProps {
  folders: readonly Folder[];
  onStarted: (id: string) => void;
}

/** What to check: a text that is pasted, a file, or a document of the library; and what to hold it against. */
export function CheckForm({ folders, onStarted }: CheckFormProps) {
  const [subject, setSubject] = useState<Exclude<Subject, { of: 'deliverable' }>>({ of: 'text', text: '' });
  const [folder, setFolder] = useState('');
  const [isPicking, setPicking] = useState(false);
  const start = useStartCheck();
  const isEmpty = subject.of === 'text' && subject.text.trim() === '';

  function submit(event: FormEvent) {
    event.preventDefault();
    if (isEmpty || start.isPending) return;
    start.mutate({ subject, folder: folder || null }, { onSuccess: ({ id }) => onStarted(id) });
  }

  return (
    <FileDrop onFile={(file) => setSubject({ of: 'file', file })}>
      <form aria-label="Check a text" className="grid grid-cols-[minmax(0,1fr)] gap-3" onSubmit={submit}>
        {start.error !== null && <Notice tone="bad">{messageOf(start.error)}</Notice>}
        {subject.of === 'text' ? (
          <TextField text={subject.text} onChange={(text) => setSubject({ of: 'text', text })} />
        ) : (
          <Chosen subject={subject} onClear={() => setSubject({ of: 'text', text: '' })} />
        )}
        <div className="flex flex-wrap items-end gap-2">
          <FileButton onFile={(file) => setSubject({ of: 'file', file })} />
          <Button onClick={() => setPicking(true)}>
            <Library aria-hidden className="size-4" /> Choose a document
          </Button>
          <span className="flex-1" />
          <FilterChoice
            label="Against"
            value={folder}
            options={[
              { value: '', text: 'The whole library' },
              ...folders.map(({ id, path }) => ({ value: id, text: path })),
            ]}
            onChange={setFolder}
          />
          <Button type="submit" look="primary" busy={start.isPending} disabled={isEmpty}>
            Check
          </Button>
        </div>
      </form>
      {isPicking && (
        <DocumentPicker
          onClose={() => setPicking(false)}
          onPick={(document) => {
            setSubject({ of: 'document', document });
            setPicking(false);
          }}
        />
      )}
    </FileDrop>
  );
}

function TextField({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const id = useId();
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        Text
      </label>
      <textarea
        id={id}
        value={text}
        rows={9}
        placeholder="Paste a text here, or drop a file."
        onChange={(event) => onChange(event.target.value)}
        className="w-full rounded-md border border-line-strong bg-surface px-3 py-2 text-base hover:border-ink-2"
      />
    </div>
  );
}

/** The file or document that was chosen in place of a text. */
function Chosen({ subject, onClear }: { subject: Extract<Subject, { of: 'file' | 'document' }>; onClear: () => void }) {
  const name = subject.of === 'file' ? subject.file.name : subject.document.name;
  return (
    <div className="flex items-center gap-2.5 rounded-lg border border-line bg-bg px-3 py-2.5">
      <FileText aria-hidden className="size-5 shrink-0 text-ink-3" />
      <p className="min-w-0 flex-1">
        <bdi className="block truncate font-medium">{name}</bdi>
        <span className="text-xs text-ink-3">
          {subject.of === 'file' ? 'A file; it does not enter the library' : 'A document of the library'}
        </span>
      </p>
      <IconButton label={`Do not check ${name}`} onClick={onClear}>
        <X aria-hidden className="size-4" />
      </IconButton>
    </div>
  );
}

function FileButton({ onFile }: { onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="File to check"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file) onFile(file);
          currentTarget.value = '';
        }}
      />
      <Button onClick={() => input.current?.click()}>
        <FileUp aria-hidden className="size-4" /> Choose a file
      </Button>
    </>
  );
}
