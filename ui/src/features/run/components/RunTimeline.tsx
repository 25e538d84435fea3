import { clsx } from 'clsx';
import { count } from '@/lib/format';
import { duration, phaseName, toolName } from '../describe';
import type { PhaseView, RunView, ToolView } from '../view';

interface Step {
  readonly key: string;
  readonly isPhase: boolean;
  readonly text: string;
  readonly note: string;
  readonly startedAt: number;
}

function ofPhase({ phase, startedAt, endedAt }: PhaseView): Step {
  return {
    key: phase,
    isPhase: true,
    text: phaseName(phase),
    note: endedAt === null ? '' : duration(endedAt - startedAt),
    startedAt,
  };
}

function ofTool(tool: ToolView): Step {
  const facts = [
    tool.state === 'failed' && 'failed',
    tool.passages !== null && count(tool.passages, 'passage'),
    tool.endedAt !== null && duration(tool.endedAt - tool.startedAt),
  ];
  return {
    key: tool.id,
    isPhase: false,
    text: toolName(tool),
    note: facts.filter(Boolean).join(' · '),
    startedAt: tool.startedAt,
  };
}

/** What the run did, in order: its stretches, the tools it used, how long each took, and what went wrong. */
export function RunTimeline({ view }: { view: RunView }) {
  const steps = [...view.phases.map(ofPhase), ...view.tools.map(ofTool)].toSorted((a, b) => a.startedAt - b.startedAt);
  if (steps.length === 0) return null;
  return (
    <ol aria-label="Timeline" className="grid grid-cols-[minmax(0,1fr)] gap-0.5 border-l-2 border-line pl-3.5 text-sm">
      {steps.map(({ key, isPhase, text, note }) => (
        <li
          key={key}
          className={clsx('flex items-baseline gap-3', isPhase ? 'mt-1 font-medium first:mt-0' : 'pl-3 text-ink-2')}
        >
          <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{text}</span>
          <span className="shrink-0 text-xs font-normal text-ink-3 tabular-nums">{note}</span>
        </li>
      ))}
      {view.checks !== null && (
        <li className="mt-1 flex items-baseline gap-3 font-medium">
          <span className="flex-1">Citations checked</span>
          <span className="text-xs font-normal text-ink-3">
            {view.checks.verified} of {view.checks.total} verified
          </span>
        </li>
      )}
      {view.failure !== null && <li className="mt-1 font-medium text-bad">{view.failure.message}</li>}
    </ol>
  );
}
