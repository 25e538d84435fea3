import { Link } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import { Button, buttonClass } from '@/components/Button';
import { Notice } from '@/components/Notice';
import { toast } from '@/lib/announce';
import { type Deliverable, isOver } from '@/lib/deliverableWire';
import { messageOf } from '@/lib/problem';
import { useCancel, useRetry } from '../api';
import { factsOf, kindOf, phaseOf } from '../kinds';
import { ExportMenu } from './ExportMenu';
import { GenerationOverlay } from './GenerationOverlay';
import { KindMark, StatusBadge } from './KindMark';

interface DeliverableCardProps {
  deliverable: Deliverable;
  mayChange: boolean;
}

const tell = (error: unknown) => toast(messageOf(error), 'bad');

/** Something that was made of an answer: how far it is, and the ways to it. */
export function DeliverableCard({ deliverable, mayChange }: DeliverableCardProps) {
  const cancel = useCancel();
  if (!isOver(deliverable))
    return (
      <GenerationOverlay
        generation={generationOf(deliverable)}
        onCancel={mayChange ? () => cancel.mutate(deliverable.id, { onError: tell }) : undefined}
      />
    );
  return (
    <section
      aria-label={`${kindOf(deliverable.kind).text}: ${deliverable.title}`}
      className="rounded-lg border border-line bg-surface p-3.5"
    >
      <div className="flex flex-wrap items-center gap-3">
        <KindMark kind={deliverable.kind} />
        <div className="min-w-0 flex-1 basis-48">
          <p className="line-clamp-2 font-medium [overflow-wrap:anywhere]">{deliverable.title}</p>
          <p className="flex flex-wrap items-center gap-x-2 text-xs text-ink-3">
            {kindOf(deliverable.kind).text}
            {deliverable.status === 'completed' ? (
              <span>{factsOf(deliverable)}</span>
            ) : (
              <StatusBadge status={deliverable.status} />
            )}
          </p>
        </div>
        {deliverable.status === 'completed' ? (
          <div className="flex gap-2">
            <Link to="/deliverables/$id" params={{ id: deliverable.id }} className={buttonClass('primary')}>
              Open
            </Link>
            <ExportMenu deliverable={deliverable} />
          </div>
        ) : (
          mayChange && <RetryButton deliverable={deliverable} />
        )}
      </div>
      <Failure deliverable={deliverable} />
    </section>
  );
}

/** Why it could not be made. */
export function Failure({ deliverable: { status, error } }: { deliverable: Pick<Deliverable, 'status' | 'error'> }) {
  if (status !== 'failed') return null;
  return (
    <div className="mt-3">
      <Notice tone="bad">{error?.message ?? 'It could not be made. Try again.'}</Notice>
    </div>
  );
}

export function RetryButton({ deliverable: { id, title } }: { deliverable: Pick<Deliverable, 'id' | 'title'> }) {
  const retry = useRetry();
  return (
    <Button
      busy={retry.isPending}
      aria-label={`Try again: ${title}`}
      onClick={() => retry.mutate(id, { onError: tell })}
    >
      {!retry.isPending && <RotateCw aria-hidden className="size-4" />} Try again
    </Button>
  );
}

export function generationOf(deliverable: Deliverable) {
  const { title, progress, status, sections_done, sections_total, words, started_at } = deliverable;
  return {
    title,
    phase: phaseOf(deliverable),
    progress: status === 'pending' ? undefined : progress,
    sectionsDone: sections_done,
    sectionsTotal: sections_total,
    words,
    startedAt: started_at === null ? null : Date.parse(started_at),
  };
}
