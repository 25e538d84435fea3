import { useQueryClient } from '@tanstack/react-query';
import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import { Button, IconButton } from '@/components/Button';
import { ProgressBar } from '@/components/ProgressBar';
import { announce } from '@/lib/announce';
import { count } from '@/lib/format';
import { NARROW_RIGHT, usePanes } from '@/lib/panes';
import { useMedia } from '@/lib/useMedia';
import { refreshLibrary } from '../api';
import { atMostEvery, useLiveLibrary } from '../live';
import { useStandings, useTray } from '../trayRest';
import { isBeingRead, isRunning, isTrouble, rowsOf, shareOf, type Upload } from '../uploadList';
import { cancelAll, clearFinished, retryFailed, useUploads } from '../uploads';
import { UploadRow } from './UploadRow';

const REFRESH_MS = 700;
const MOST_ROWS = 60;
const EDGE = 16;

/** What is on its way to the server and what becomes of it, on every page, until all is well or it is dismissed. */
export function UploadTray() {
  const uploads = useUploads((store) => store.uploads);
  if (uploads.length === 0) return null;
  return <Tray uploads={uploads} />;
}

function Tray({ uploads }: { uploads: readonly Upload[] }) {
  const { isOpen, setOpen, holding } = useTray(uploads);
  const isHeldUp = useUploads((store) => store.isHeldUp);
  const right = useFreeEdge();
  const unread = uploads.filter(isBeingRead).length;
  useLiveLibrary();
  useStandings(unread);
  useRefresh(uploads.filter(({ state }) => state === 'kept').length);
  const running = uploads.filter(isRunning).length;
  const title = titleOf(uploads, running, isHeldUp);
  useEffect(() => announce(title), [title]);
  return (
    <section
      aria-label="Uploads"
      {...holding}
      style={{ right, width: `min(24rem, calc(100vw - ${right + EDGE}px))` }}
      className="float-in fixed bottom-4 z-20 flex max-h-[min(26rem,60vh)] flex-col overflow-hidden rounded-lg bg-surface shadow-float"
    >
      <header className="flex items-center gap-1 border-b border-line py-1.5 pr-1.5 pl-4">
        <h2 className="min-w-0 flex-1 truncate text-sm font-semibold">{title}</h2>
        {running === 0 && unread > 0 && (
          <span className="shrink-0 text-xs text-ink-3 tabular-nums">reading {unread}</span>
        )}
        <TrayActs uploads={uploads} running={running} />
        <IconButton
          label={isOpen ? 'Fold the uploads' : 'Unfold the uploads'}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? <ChevronDown aria-hidden className="size-4" /> : <ChevronUp aria-hidden className="size-4" />}
        </IconButton>
        {running === 0 && (
          <IconButton label="Dismiss the uploads" onClick={clearFinished}>
            <X aria-hidden className="size-4" />
          </IconButton>
        )}
      </header>
      {running > 0 && <ProgressBar label="All uploads" value={shareOf(uploads)} />}
      {running > 0 && isHeldUp && (
        <p className="bg-warn-soft px-4 py-2 text-xs text-pretty">
          The server takes no files at the moment. They wait here and go on by themselves; keep this page open.
        </p>
      )}
      {isOpen && <Rows uploads={uploads} />}
    </section>
  );
}

function TrayActs({ uploads, running }: { uploads: readonly Upload[]; running: number }) {
  const failed = uploads.filter(({ state }) => state === 'failed').length;
  return (
    <>
      {failed > 1 && (
        <Button look="ghost" onClick={retryFailed}>
          Retry all failed
        </Button>
      )}
      {running > 1 && (
        <Button look="ghost" onClick={cancelAll}>
          Cancel all
        </Button>
      )}
    </>
  );
}

function Rows({ uploads }: { uploads: readonly Upload[] }) {
  const shown = rowsOf(uploads, MOST_ROWS);
  const more = uploads.length - shown.length;
  return (
    // Scrolled from the keyboard too: rows that have arrived hold nothing to go to.
    <ul
      tabIndex={0}
      aria-label="Files"
      className="min-h-0 divide-y divide-line overflow-y-auto focus-visible:-outline-offset-2"
    >
      {shown.map((upload) => (
        <UploadRow key={upload.key} upload={upload} />
      ))}
      {more > 0 && <li className="px-4 py-2.5 text-xs text-ink-3">and {count(more, 'more file', 'more files')}</li>}
    </ul>
  );
}

/** Beside a document that is being read, never over it. */
function useFreeEdge(): number {
  const { isWide, rightOpen, wideWidth } = usePanes();
  const isNarrow = useMedia(NARROW_RIGHT);
  return isWide && rightOpen && !isNarrow ? wideWidth + EDGE : EDGE;
}

function titleOf(uploads: readonly Upload[], running: number, isHeldUp: boolean): string {
  const failed = uploads.filter(({ state }) => state === 'failed').length;
  const kept = uploads.filter(({ state }) => state === 'kept').length;
  if (running > 0)
    return isHeldUp ? `Server away, ${count(running, 'file')} waiting` : `Adding ${count(running, 'file')}`;
  const unread = uploads.filter((upload) => upload.state === 'kept' && isTrouble(upload)).length;
  return `${count(kept, 'file')} added${unread > 0 ? `, ${unread} not readable` : ''}${failed > 0 ? `, ${failed} failed` : ''}`;
}

/** Each file that arrives shows up in the lists behind. */
function useRefresh(arrived: number): void {
  const queries = useQueryClient();
  const refresh = useMemo(() => atMostEvery(REFRESH_MS, () => refreshLibrary(queries)), [queries]);
  useEffect(() => {
    if (arrived > 0) refresh();
  }, [arrived, refresh]);
}
