import { useQueryClient } from '@tanstack/react-query';
import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { Button, IconButton } from '@/components/Button';
import { ProgressBar } from '@/components/ProgressBar';
import { announce } from '@/lib/announce';
import { count } from '@/lib/format';
import { refreshLibrary } from '../api';
import { atMostEvery, useLiveLibrary } from '../live';
import { isRunning, shareOf, type Upload } from '../uploadList';
import { cancelAll, clearFinished, useUploads } from '../uploads';
import { UploadRow } from './UploadRow';

const REFRESH_MS = 700;

/** What is on its way to the server and what becomes of it, on every page, until it is dismissed. */
export function UploadTray() {
  const uploads = useUploads((store) => store.uploads);
  if (uploads.length === 0) return null;
  return <Tray uploads={uploads} />;
}

function Tray({ uploads }: { uploads: readonly Upload[] }) {
  const [open, setOpen] = useState(true);
  useLiveLibrary();
  useRefresh(uploads.filter(({ state }) => state === 'kept').length);
  const running = uploads.filter(isRunning).length;
  const title = titleOf(uploads, running);
  useEffect(() => announce(title), [title]);
  return (
    <section aria-label="Uploads" className="float-in fixed right-4 bottom-4 z-20 flex max-h-[min(26rem,60vh)] w-[min(24rem,calc(100vw-2rem))] flex-col overflow-hidden rounded-lg bg-surface shadow-float">
      <header className="flex items-center gap-1 border-b border-line py-1.5 pr-1.5 pl-4">
        <h2 className="min-w-0 flex-1 truncate text-sm font-semibold">{title}</h2>
        {running > 1 && (
          <Button look="ghost" onClick={cancelAll}>
            Cancel all
          </Button>
        )}
        <IconButton label={open ? 'Fold the uploads' : 'Unfold the uploads'} aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? <ChevronDown aria-hidden className="size-4" /> : <ChevronUp aria-hidden className="size-4" />}
        </IconButton>
        {running === 0 && (
          <IconButton label="Dismiss the uploads" onClick={clearFinished}>
            <X aria-hidden className="size-4" />
          </IconButton>
        )}
      </header>
      {running > 0 && <ProgressBar label="All uploads" value={shareOf(uploads)} />}
      {open && (
        <ul className="min-h-0 divide-y divide-line overflow-y-auto">
          {uploads.map((upload) => (
            <UploadRow key={upload.key} upload={upload} />
          ))}
        </ul>
      )}
    </section>
  );
}

function titleOf(uploads: readonly Upload[], running: number): string {
  const failed = uploads.filter(({ state }) => state === 'failed').length;
  const kept = uploads.filter(({ state }) => state === 'kept').length;
  if (running > 0) return `Adding ${count(running, 'file')}`;
  return `${count(kept, 'file')} added${failed > 0 ? `, ${failed} failed` : ''}`;
}

/** Each file that arrives shows up in the lists behind. */
function useRefresh(arrived: number): void {
  const queries = useQueryClient();
  const refresh = useMemo(() => atMostEvery(REFRESH_MS, () => refreshLibrary(queries)), [queries]);
  useEffect(() => {
    if (arrived > 0) refresh();
  }, [arrived, refresh]);
}
