import { count } from '@/lib/format';
import type { Colouring } from '../graph/colouring';
import { colourName } from '../graph/palette';

interface LegendProps {
  colouring: Colouring;
  /** How many nodes are drawn, where there are more. */
  more: number | null;
}

/** What the colours of the picture stand for. */
export function Legend({ colouring, more }: LegendProps) {
  if (colouring.legend.length === 0 && more === null) return null;
  return (
    <div className="pointer-events-none absolute bottom-2 left-2 grid max-w-[70%] gap-1 rounded-md bg-surface/85 px-2 py-1.5 text-xs text-ink-2">
      {more !== null && <p>The {count(more, 'node')} with most facts; there are more.</p>}
      <ul
        aria-label={colouring.isByCommunity ? 'Communities' : 'Kinds of nodes'}
        className="flex flex-wrap gap-x-3 gap-y-0.5"
      >
        {colouring.legend.map(({ name, size }, rank) => (
          <li key={`${rank}-${name}`} className="inline-flex items-center gap-1.5">
            <Dot rank={rank} /> <bdi className="max-w-48 truncate">{name}</bdi>{' '}
            <span className="text-ink-3 tabular-nums">{size}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A colour of the picture, in either theme. */
export function Dot({ rank }: { rank: number | undefined }) {
  return (
    <span aria-hidden className="inline-flex">
      <span
        className="inline-block size-2.5 rounded-full dark:hidden"
        style={{ background: colourName(rank, false) }}
      />
      <span className="hidden size-2.5 rounded-full dark:inline-block" style={{ background: colourName(rank, true) }} />
    </span>
  );
}
