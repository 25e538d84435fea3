import { CircleAlert, CircleCheck, LoaderCircle } from 'lucide-react';
import { count } from '@/lib/format';
import { duration } from '../describe';
import type { TaskView } from '../view';

const SIGNS = {
  loading: { Icon: LoaderCircle, look: 'animate-spin text-accent', word: 'At work' },
  success: { Icon: CircleCheck, look: 'text-ok', word: 'Done' },
  error: { Icon: CircleAlert, look: 'text-bad', word: 'Failed' },
} as const;

/** What a question fell into; tasks that run side by side stand side by side. */
export function PlanViewer({ tasks, isLive }: { tasks: readonly TaskView[]; isLive: boolean }) {
  if (tasks.length === 0) return null;
  return (
    <ol aria-label="Plan" className="grid grid-cols-[minmax(0,1fr)] gap-1.5 @2xl:grid-cols-2">
      {tasks.map((task) => (
        <Task key={task.id} task={task} isLive={isLive} />
      ))}
    </ol>
  );
}

function Task({ task, isLive }: { task: TaskView; isLive: boolean }) {
  const { Icon, look, word } = SIGNS[task.status];
  const isStuck = task.status === 'loading' && !isLive;
  const facts = [
    task.startedAt !== null && task.endedAt !== null && duration(task.endedAt - task.startedAt),
    task.sources > 0 && count(task.sources, 'source'),
    task.status === 'success' && task.sources === 0 && 'nothing found',
  ].filter(Boolean);
  return (
    <li className="flex items-start gap-2.5 rounded-md border border-line bg-surface px-3 py-2">
      <Icon
        role="img"
        aria-label={isStuck ? 'Not finished' : word}
        className={`mt-0.5 size-4 shrink-0 ${isStuck ? 'text-ink-3' : look}`}
      />
      <span className="min-w-0 flex-1">
        <span className="line-clamp-2 text-sm font-medium [overflow-wrap:anywhere]">{task.title}</span>
        {task.action !== null && <span className="block text-xs text-ink-2">{task.action}</span>}
        {facts.length > 0 && <span className="block text-xs text-ink-3">{facts.join(' · ')}</span>}
      </span>
    </li>
  );
}
