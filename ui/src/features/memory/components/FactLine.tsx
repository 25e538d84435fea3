import { clsx } from 'clsx';
import { Badge } from '@/components/Marks';
import type { Fact } from '@/lib/memoryWire';
import type { Moment } from '../place';
import { intervalOf, standingOf } from '../time';
import { relationName, STANDINGS } from '../words';

interface FactLineProps {
  fact: Fact;
  moment: Moment;
  isOpen?: boolean;
  onOpen: (id: string) => void;
}

/** A fact in a list: what it says, and when it holds. */
export function FactLine({ fact, moment, isOpen = false, onOpen }: FactLineProps) {
  const standing = standingOf(fact, moment);
  const { word, tone } = STANDINGS[standing];
  return (
    <li>
      <button
        type="button"
        data-row
        aria-current={isOpen || undefined}
        onClick={() => onOpen(fact.id)}
        className={clsx(
          'block w-full rounded-md px-2.5 py-1.5 text-left focus-visible:-outline-offset-2',
          isOpen ? 'bg-accent-soft' : 'hover:bg-hover',
        )}
      >
        <bdi
          className={clsx(
            'block text-sm text-pretty [overflow-wrap:anywhere]',
            standing === 'ended' ? 'text-ink-2' : 'text-ink',
          )}
        >
          {fact.statement}
        </bdi>
        <span className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-0.5 text-xs text-ink-3">
          {standing !== 'holds' && <Badge tone={tone}>{word}</Badge>}
          <span className="tabular-nums">{intervalOf(fact)}</span>
          <bdi className="max-w-full truncate">
            {relationName(fact.relation)} → {fact.object?.name ?? fact.object_text}
          </bdi>
        </span>
      </button>
    </li>
  );
}
