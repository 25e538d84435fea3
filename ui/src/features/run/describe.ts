/** What a run does, in words. */
import { TOOL_LABELS } from '@/lib/conversationWire';
import { count } from '@/lib/format';
import { type ActivityView, hasEnded, type RunView, type ToolView } from './view';

const PHASES: Readonly<Record<string, string>> = {
  planning: 'Planning',
  research: 'Searching the sources',
  synthesis: 'Putting the findings together',
  writing: 'Writing the answer',
  checking: 'Checking the citations',
};

export function phaseName(phase: string): string {
  return PHASES[phase] ?? phase;
}

export function toolName({ name, action }: ToolView): string {
  return action ?? TOOL_LABELS[name ?? ''] ?? name ?? 'A tool';
}

/** "420 ms", "4.2 s", "2 min 5 s". */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}

/** How long the run has taken from its first stretch to its last. */
export function wholeDuration({ phases }: RunView): number | null {
  const [first, ends] = [phases[0]?.startedAt, phases.map(({ endedAt }) => endedAt ?? 0)];
  const last = Math.max(0, ...ends);
  return first === undefined || last === 0 ? null : Math.max(0, last - first);
}

const SHORT_S = 3;

/** "Reading 6 passages · about 40 s"; a wait that is over before it is read has no figure. */
export function activityLine({ message, estimateS }: ActivityView): string {
  if (estimateS === null || estimateS < SHORT_S) return message;
  const told = estimateS < 60 ? `${Math.round(estimateS)} s` : `${Math.round(estimateS / 60)} min`;
  return `${message} · about ${told}`;
}

/** One line on where the run stands. */
export function summaryOf(view: RunView): string {
  if (view.standing === 'waiting') return 'Waiting for its turn';
  if (view.standing === 'asking') return 'Waiting for your answer';
  if (view.standing === 'approving') return 'Waiting for your approval';
  if (!hasEnded(view) && view.activity !== null) return activityLine(view.activity);
  if (!hasEnded(view))
    return phaseName(
      view.phases.findLast(({ endedAt }) => endedAt === null)?.phase ?? view.phases.at(-1)?.phase ?? 'planning',
    );
  const ms = wholeDuration(view);
  const done = view.standing === 'completed' ? 'Answered' : view.standing === 'cancelled' ? 'Stopped' : 'Failed';
  const searches = view.tools.length > 0 ? [count(view.tools.length, 'search', 'searches')] : [];
  return [
    ms === null ? done : `${done} in ${duration(ms)}`,
    ...(view.tasks.length > 1 ? [count(view.tasks.length, 'task')] : []),
    ...searches,
  ].join(' · ');
}
