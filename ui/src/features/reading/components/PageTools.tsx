import { ChevronLeft, ChevronRight, ZoomIn, ZoomOut } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { IconButton } from '@/components/Button';

interface PageToolsProps {
  page: number;
  count: number;
  zoom: number;
  onPage: (page: number) => void;
  onZoom: (step: 1 | -1) => void;
  onFit: () => void;
  note: string | undefined;
}

/** Turning pages and coming nearer. */
export function PageTools({ page, count, zoom, onPage, onZoom, onFit, note }: PageToolsProps) {
  const [typed, setTyped] = useState<string | null>(null);

  function press(event: KeyboardEvent) {
    if (event.key !== 'Enter') return;
    const wanted = Number(typed);
    if (Number.isInteger(wanted) && wanted >= 1) onPage(Math.min(wanted, count));
    setTyped(null);
  }

  return (
    <div
      role="toolbar"
      aria-label="Page"
      className="flex min-h-10 flex-wrap items-center gap-x-1 border-b border-line px-2 text-sm text-ink-2"
    >
      <IconButton label="Previous page" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <ChevronLeft aria-hidden className="size-4" />
      </IconButton>
      <input
        aria-label="Page number"
        inputMode="numeric"
        value={typed ?? page}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={() => setTyped(null)}
        onFocus={(event) => event.currentTarget.select()}
        onKeyDown={press}
        className="h-7 w-11 rounded-sm border border-line bg-surface text-center tabular-nums"
      />
      <span className="px-1 whitespace-nowrap tabular-nums">of {count}</span>
      <IconButton label="Next page" disabled={page >= count} onClick={() => onPage(page + 1)}>
        <ChevronRight aria-hidden className="size-4" />
      </IconButton>
      {note !== undefined && (
        <span className="min-w-0 flex-1 truncate px-2 text-xs text-ink-3" title={note}>
          {note}
        </span>
      )}
      <span className="ml-auto flex items-center">
        <IconButton label="Smaller" onClick={() => onZoom(-1)}>
          <ZoomOut aria-hidden className="size-4" />
        </IconButton>
        <button
          type="button"
          aria-label={`${Math.round(zoom * 100)} %, fit to the width`}
          title="Fit to the width"
          onClick={onFit}
          className="h-7 w-12 rounded-sm text-xs tabular-nums hover:bg-hover"
        >
          {Math.round(zoom * 100)} %
        </button>
        <IconButton label="Larger" onClick={() => onZoom(1)}>
          <ZoomIn aria-hidden className="size-4" />
        </IconButton>
      </span>
    </div>
  );
}
