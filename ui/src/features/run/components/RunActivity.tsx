import { ChevronRight, LoaderCircle } from 'lucide-react';
import { clsx } from 'clsx';
import { type ReactNode, useId, useState } from 'react';
import { Skeleton } from '@/components/Loaded';
import { Notice } from '@/components/Notice';
import { summaryOf } from '../describe';
import { useRun, useRunPart } from '../stores';
import { OutlineList } from './OutlineList';
import { PlanViewer } from './PlanViewer';
import { RunTimeline } from './RunTimeline';

interface RunActivityProps {
  /** Null where the reader may not follow it: then only what else belongs to the answer is shown. */
  runId: string | null;
  isLive: boolean;
  /** What the line says before the run has been looked at. */
  summary: string;
  /** More that belongs to how the answer came about, shown when opened. */
  children?: ReactNode;
}

/** How the answer comes about: one line, and behind it the plan and every step. */
export function RunActivity({ runId, isLive, summary, children }: RunActivityProps) {
  const [isOpen, setOpen] = useState<boolean | null>(null);
  const shown = isOpen ?? isLive;
  const followed = isLive || shown ? runId : null;
  const isHeard = useRunPart(followed, ({ view }) => view.seq > 0);
  const line = useRunPart(followed, ({ view }) => summaryOf(view));
  const tasks = useRunPart(followed, ({ view }) => view.tasks);
  const outline = useRunPart(followed, ({ view }) => view.outline);
  const connection = useRunPart(followed, (run) => run.connection);
  const refusal = useRunPart(followed, (run) => run.refusal);
  const id = useId();
  return (
    <div className="my-2">
      <button
        type="button"
        aria-expanded={shown}
        aria-controls={id}
        onClick={() => setOpen(!shown)}
        className="-ml-1.5 flex min-h-8 max-w-full items-center gap-1.5 rounded-md px-1.5 text-sm text-ink-3 hover:bg-hover hover:text-ink coarse:min-h-11"
      >
        {isLive ? (
          <LoaderCircle aria-hidden className="size-4 shrink-0 animate-spin text-accent" />
        ) : (
          <ChevronRight aria-hidden className={clsx('size-4 shrink-0 transition-transform', shown && 'rotate-90')} />
        )}
        <span role={isLive ? 'status' : undefined} className="truncate">
          {isHeard ? line : summary}
        </span>
      </button>
      <div id={id} hidden={!shown} className="mt-2 mb-4 grid grid-cols-[minmax(0,1fr)] gap-3">
        {shown && runId !== null && !isHeard && !isLive && refusal === null && <Skeleton rows={2} />}
        {refusal !== null && <Notice tone="bad">{refusal}</Notice>}
        {isLive && connection === 'reconnecting' && (
          <p className="text-xs text-ink-3">The connection was cut; trying again.</p>
        )}
        <PlanViewer tasks={tasks} isLive={isLive} />
        <OutlineList chapters={outline} />
        {shown && !isLive && runId !== null && <Steps runId={runId} />}
        {shown && children}
      </div>
    </div>
  );
}

function Steps({ runId }: { runId: string }) {
  return <RunTimeline view={useRun(runId).view} />;
}
