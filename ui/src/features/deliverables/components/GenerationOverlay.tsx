import { LoaderCircle, Square } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '@/components/Button';
import { ProgressBar } from '@/components/ProgressBar';
import { count } from '@/lib/format';
import { elapsed } from '../kinds';

export interface Generation {
  readonly title: string;
  readonly phase: string;
  /** Between 0 and 1; undefined while nobody can tell. */
  readonly progress: number | undefined;
  readonly sectionsDone: number;
  /** 0 while nobody can tell. */
  readonly sectionsTotal: number;
  readonly words: number;
  /** When it began, in milliseconds; null before it has. */
  readonly startedAt: number | null;
}

interface GenerationOverlayProps {
  generation: Generation;
  /** Left out where the reader may not stop it. */
  onCancel?: (() => void) | undefined;
}

const TICK_MS = 1_000;

/** How far something is that is being made. It stands over what is there already, and leaves it readable. */
export function GenerationOverlay({
  generation: { title, phase, progress, sectionsDone, sectionsTotal, words, startedAt },
  onCancel,
}: GenerationOverlayProps) {
  const sections =
    sectionsTotal > 0
      ? `${Math.min(sectionsDone, sectionsTotal)} of ${count(sectionsTotal, 'section')}`
      : sectionsDone > 0 && count(sectionsDone, 'section');
  return (
    <section aria-label={`Making: ${title}`} className="rounded-lg border border-line-strong bg-surface px-3.5 py-2.5">
      <div className="flex items-center gap-2.5">
        <LoaderCircle aria-hidden className="size-4 shrink-0 animate-spin text-accent" />
        <p className="min-w-0 flex-1 text-sm">
          <span role="status" className="font-medium">
            {phase}
          </span>
          <span className="ml-2 text-xs text-ink-3 tabular-nums">
            {[sections, words > 0 && count(words, 'word')].filter(Boolean).join(' · ')}
            {startedAt !== null && <Elapsed since={startedAt} isFirst={sections === false && words === 0} />}
          </span>
        </p>
        {onCancel && (
          <Button look="ghost" aria-label={`Stop making: ${title}`} onClick={onCancel}>
            <Square aria-hidden className="size-3.5 fill-current" /> Stop
          </Button>
        )}
      </div>
      <div className="mt-2">
        <ProgressBar label={`Progress of ${title}`} value={progress} />
      </div>
    </section>
  );
}

/** Its own part, so that the clock draws nothing else anew. */
function Elapsed({ since, isFirst }: { since: number; isFirst: boolean }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <span>
      {isFirst ? '' : ' · '}
      {elapsed(now - since)}
    </span>
  );
}
