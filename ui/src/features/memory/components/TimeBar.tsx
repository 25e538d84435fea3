import { useQueryClient } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, History } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { Button, IconButton } from '@/components/Button';
import { toast } from '@/lib/announce';
import type { TimelineExtent } from '@/lib/memoryWire';
import { messageOf } from '@/lib/problem';
import { useNow } from '@/lib/useNow';
import { changeQuery } from '../api';
import type { Moment } from '../place';
import {
  barsOf,
  fieldValue,
  fromField,
  justAfter,
  justBefore,
  momentAt,
  momentText,
  spanOf,
  STEPS,
  stepOf,
} from '../time';

interface TimeBarProps {
  group: string;
  extent: TimelineExtent;
  moment: Moment;
  onMoment: (moment: Moment) => void;
}

/** While one drags, the moment is asked for at rests only. */
const REST_MS = 160;
const FIELD =
  'h-8 rounded-md border border-line-strong bg-surface px-2 text-sm tabular-nums hover:border-ink-2 coarse:min-h-11';

/** The time that is looked at: a slider over all that is known, the changes as marks, and what was known when, more quietly. */
export function TimeBar({ group, extent, moment, onMoment }: TimeBarProps) {
  const now = useNow();
  const queries = useQueryClient();
  const id = useId();
  const span = spanOf(extent, now);
  const asOf = moment.as_of;
  const [isExact, setExact] = useState(false);
  const set = (next: string | undefined) =>
    onMoment({
      ...(next !== undefined && { as_of: next }),
      ...(moment.known_at !== undefined && { known_at: moment.known_at }),
    });
  const [step, drag] = useRested(asOf ?? '', stepOf(span, asOf, now), (next) => set(momentAt(span, next, now)));
  const shown = step === stepOf(span, asOf, now) ? asOf : momentAt(span, step, now);

  async function leap(direction: -1 | 1) {
    const after = justAfter(asOf, now);
    try {
      const change = await queries.fetchQuery(changeQuery(group, direction < 0 ? { to: after } : { from: after }));
      if (change !== null) set(direction < 0 ? justBefore(change) : change);
      else if (direction > 0) set(undefined);
    } catch (error) {
      toast(messageOf(error), 'bad');
    }
  }

  return (
    <section aria-label="Time" className="grid gap-1.5 rounded-lg bg-bg px-3 py-2.5">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5">
        <History aria-hidden className="size-4 shrink-0 text-ink-3" />
        <label htmlFor={id} className="text-sm text-ink-2">
          As of
        </label>
        <output htmlFor={id} className="min-w-28 text-sm font-semibold tabular-nums">
          {momentText(shown, span)}
        </output>
        <IconButton label="Before the previous change" onClick={() => void leap(-1)}>
          <ChevronLeft aria-hidden className="size-4" />
        </IconButton>
        <IconButton label="To the next change" onClick={() => void leap(1)}>
          <ChevronRight aria-hidden className="size-4" />
        </IconButton>
        {asOf === undefined && !isExact && (
          <Button look="ghost" onClick={() => setExact(true)}>
            Choose a date…
          </Button>
        )}
        {(asOf !== undefined || isExact) && (
          <>
            <input
              type="datetime-local"
              step={1}
              aria-label="As of, exactly"
              value={fieldValue(asOf)}
              onChange={(event) => set(fromField(event.target.value))}
              className={FIELD}
            />
            <Button
              look="ghost"
              onClick={() => {
                setExact(false);
                set(undefined);
              }}
            >
              Now
            </Button>
          </>
        )}
        <KnownAt moment={moment} onMoment={onMoment} />
      </div>
      <div className="relative pt-5">
        <Bars bars={barsOf(span, extent.buckets)} />
        <input
          id={id}
          type="range"
          min={0}
          max={STEPS}
          value={step}
          aria-valuetext={momentText(shown, span)}
          onChange={(event) => drag(Number(event.target.value))}
          className="time-slider relative block w-full"
        />
      </div>
    </section>
  );
}

/** A value that moves at once and is told at rest. Another moment from outside ends what is being dragged. */
function useRested(
  moment: string,
  value: number,
  tell: (value: number) => void,
): readonly [number, (value: number) => void] {
  const [dragged, setDragged] = useState<{ readonly to: number; readonly from: string } | null>(null);
  const isLive = dragged !== null && dragged.from === moment;
  useEffect(() => {
    if (!isLive || dragged === null) return undefined;
    const timer = setTimeout(() => tell(dragged.to), REST_MS);
    return () => clearTimeout(timer);
    // The way of telling is made anew with each drawing; only the value says when to wait anew.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [dragged]);
  return [isLive && dragged ? dragged.to : value, (to) => setDragged({ to, from: moment })];
}

function Bars({ bars }: { bars: ReturnType<typeof barsOf> }) {
  return (
    <div aria-hidden className="pointer-events-none absolute inset-x-2 top-0 h-5">
      {bars.map(({ at, height }) => (
        <span
          key={at}
          className="absolute bottom-0 w-1 -translate-x-1/2 rounded-t-sm bg-line-strong/60"
          style={{ left: `${at * 100}%`, height: `${15 + height * 85}%` }}
        />
      ))}
    </div>
  );
}

/** By what was known when: for those who ask why something was believed. */
function KnownAt({ moment, onMoment }: Pick<TimeBarProps, 'moment' | 'onMoment'>) {
  const [isAsked, setAsked] = useState(false);
  const known = moment.known_at;
  const set = (next: string | undefined) =>
    onMoment({
      ...(moment.as_of !== undefined && { as_of: moment.as_of }),
      ...(next !== undefined && { known_at: next }),
    });
  if (known === undefined && !isAsked) {
    return (
      <Button look="ghost" className="ml-auto text-ink-3" onClick={() => setAsked(true)}>
        As known at…
      </Button>
    );
  }
  return (
    <span className="ml-auto flex items-center gap-2 text-sm text-ink-3">
      as known at
      <input
        type="datetime-local"
        step={1}
        aria-label="As known at"
        value={fieldValue(known)}
        onChange={(event) => set(fromField(event.target.value))}
        className={FIELD}
      />
      <Button
        look="ghost"
        onClick={() => {
          setAsked(false);
          set(undefined);
        }}
      >
        As known now
      </Button>
    </span>
  );
}
