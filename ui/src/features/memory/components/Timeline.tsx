import { useInfiniteQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { CalendarClock, CircleDot, CircleOff } from 'lucide-react';
import { EmptyState } from '@/components/EmptyState';
import { Loaded } from '@/components/Loaded';
import type { TimelineMoment } from '@/lib/memoryWire';
import { itemsOf } from '@/lib/pages';
import { timelineQuery } from '../api';
import type { Moment } from '../place';
import { dayOf } from '../time';

interface TimelineProps {
  group: string;
  /** Changes with the group's content. */
  state: string;
  moment: Moment;
  opened: string | undefined;
  onFact: (id: string) => void;
  /** Look at everything as of then. */
  onMoment: (asOf: string) => void;
}

/** When facts begin and end, the newest first. What lies after the moment that is looked at steps back. */
export function Timeline({ group, state, moment, opened, onFact, onMoment }: TimelineProps) {
  const query = useInfiniteQuery(timelineQuery(group, state));
  const moments: readonly TimelineMoment[] = itemsOf(query.data);
  const here = moment.as_of === undefined ? Number.POSITIVE_INFINITY : Date.parse(moment.as_of);
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <Loaded
        query={query}
        items={moments}
        empty={
          <EmptyState icon={<CalendarClock />} title="No moment is known yet">
            Facts stand here when it is known since when they hold, or until when.
          </EmptyState>
        }
      >
        {(items) => (
          <ol aria-label="Timeline" className="border-l border-line pl-1">
            {items.map((item) => (
              <Row
                key={`${item.kind}-${item.fact.id}`}
                item={item}
                isAhead={Date.parse(item.at) > here}
                isOpen={item.fact.id === opened}
                onFact={onFact}
                onMoment={onMoment}
              />
            ))}
          </ol>
        )}
      </Loaded>
    </div>
  );
}

interface RowProps {
  item: TimelineMoment;
  isAhead: boolean;
  isOpen: boolean;
  onFact: (id: string) => void;
  onMoment: (asOf: string) => void;
}

function Row({ item, isAhead, isOpen, onFact, onMoment }: RowProps) {
  const begins = item.kind === 'begins';
  const Icon = begins ? CircleDot : CircleOff;
  return (
    <li className={clsx('flex items-start gap-3 rounded-md py-1 pl-3', isOpen && 'bg-accent-soft')}>
      <Icon
        aria-hidden
        className={clsx('mt-1 size-4 shrink-0', isAhead ? 'text-ink-3' : begins ? 'text-ok' : 'text-ink-3')}
      />
      <button
        type="button"
        onClick={() => onMoment(item.at)}
        title="Look at everything as of then"
        className="w-44 shrink-0 py-0.5 text-left text-sm text-ink-3 tabular-nums hover:text-ink hover:underline @max-xl:w-28"
      >
        <time dateTime={item.at}>{dayOf(item.at)}</time>
      </button>
      <button
        type="button"
        aria-current={isOpen || undefined}
        onClick={() => onFact(item.fact.id)}
        className={clsx(
          'min-w-0 flex-1 py-0.5 text-left text-sm [overflow-wrap:anywhere] hover:underline',
          isAhead || !begins ? 'text-ink-2' : 'text-ink',
        )}
      >
        <span className="mr-1.5 text-xs text-ink-3">
          {begins ? 'begins' : 'ends'}
          {isAhead && ', later'}
        </span>
        <bdi>{item.fact.statement}</bdi>
      </button>
    </li>
  );
}
