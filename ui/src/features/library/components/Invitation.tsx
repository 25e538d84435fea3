import { FileUp, FolderUp, Globe } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '@/components/Button';
import { chosen } from '@/lib/dropped';
import type { Wish } from '../entries';
import { upload } from '../uploads';

interface InvitationProps {
  onWish: (wish: Wish) => void;
  onAdded?: () => void;
}

/** The first thing in an empty library: bring something, in one move. */
export function Invitation({ onWish, onAdded }: InvitationProps) {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const take = (input: HTMLInputElement) => {
    upload(chosen(input.files ?? []), null);
    input.value = '';
    onAdded?.();
  };
  return (
    <div className="grid justify-items-center gap-2 rounded-lg border-2 border-dashed border-line-strong/60 bg-bg px-6 py-12 text-center">
      <span aria-hidden className="mb-1 grid size-12 place-items-center rounded-full bg-accent-soft text-accent">
        <FileUp className="size-6" />
      </span>
      <h2 className="font-serif text-xl font-semibold">Bring what you want to know about</h2>
      <p className="max-w-[52ch] text-pretty text-ink-2">
        Drop files or whole folders here. Each is read once; then every passage can be found and opened at its place in
        the original.
      </p>
      <p className="max-w-[52ch] text-sm text-ink-3">
        PDF, Word, PowerPoint, Excel, CSV, web pages, Markdown, text, JSON, e-mail, pictures, ZIP
      </p>
      <div className="mt-3 flex flex-wrap justify-center gap-2">
        <input
          ref={files}
          type="file"
          multiple
          hidden
          aria-label="First files to add"
          onChange={(event) => take(event.currentTarget)}
        />
        <input
          ref={folder}
          type="file"
          multiple
          hidden
          aria-label="First folder to add"
          {...{ webkitdirectory: '' }}
          onChange={(event) => take(event.currentTarget)}
        />
        <Button look="primary" size="large" onClick={() => files.current?.click()}>
          Choose files
        </Button>
        <Button size="large" onClick={() => folder.current?.click()}>
          <FolderUp aria-hidden className="size-4" />
          Choose a folder
        </Button>
        <Button size="large" onClick={() => onWish({ do: 'import' })}>
          <Globe aria-hidden className="size-4" />
          Add a web page
        </Button>
      </div>
    </div>
  );
}
