// For tests: a run as it is told by its events.
import type { RunEvent } from '@/lib/conversationWire';
import { reduce } from './reduce';
import { type RunView, UNHEARD } from './view';

export const TASK = {
  plan_id: 'p',
  message: '',
  previous_task_id: null,
  start_time: null,
  end_time: null,
  duration_ms: null,
  notes: null,
  sources: [],
  entities: [],
};
export const PLAN = {
  id: 'p',
  plan_set_id: 's',
  title: null,
  summary: null,
  status: 'loading',
  previous_plan_id: null,
  used_sources: [],
} as const;
export const NODE = { node_id: 'research:0', plan_id: 'p', plan_set_id: 's' };

export const delta = (offset: number, text: string): RunEvent => ({
  type: 'message_delta',
  message_id: 'm',
  offset,
  delta: text,
});
export const told = (events: readonly RunEvent[], from: RunView = UNHEARD) =>
  events.reduce((view, event, index) => reduce(view, from.seq + index + 1, event), from);

export const EVENTS: readonly RunEvent[] = [
  {
    type: 'stream_start',
    chat_id: null,
    creator_user_id: 'u',
    user_chat_message_id: null,
    workspace_id: 'w',
    run_id: 'r',
  },
  { type: 'phase_started', phase: 'planning', timestamp: 1_000 },
  {
    type: 'plan_created',
    plan_set_id: 's',
    plan: {
      ...PLAN,
      plan_tasks: {
        b: { ...TASK, id: 'b', title: 'Second', status: 'loading' },
        a: { ...TASK, id: 'a', title: 'First', status: 'loading' },
      },
    },
  },
  { type: 'phase_completed', phase: 'planning', timestamp: 1_200 },
  { type: 'phase_started', phase: 'research', timestamp: 1_200 },
  { ...NODE, type: 'node_tools_execution_start', tool_ids: ['t1'], total_tools: 1, timestamp: 1_250 },
  {
    ...NODE,
    type: 'update_subagent_current_action',
    current_action: 'Searching for herons',
    tool_id: 't1',
    timestamp: 1_250,
  },
  {
    ...NODE,
    type: 'node_tool_event',
    event: 'completed',
    tool_id: 't1',
    tool_type: 'search_documents',
    metadata: { passages: 3 },
    timestamp: 1_400,
  },
  {
    ...NODE,
    type: 'subagent_failed',
    subagent_id: 'research:0',
    task_id: 'a',
    timestamp: 1_450,
    error_type: 'x',
    error_message: 'The index was away.',
  },
  delta(0, 'The heron '),
  delta(10, 'returned. 🪶'),
  { type: 'phase_completed', phase: 'research', timestamp: 3_500 },
];

export const OUTLINED: RunEvent = {
  type: 'outline_created',
  title: 'The group',
  chapters: [
    { heading: 'Debt', message: 'Net debt fell.', role: 'chapter', form: 'table' },
    { heading: 'Open questions', message: '', role: 'open_questions', form: 'list' },
  ],
  timestamp: 1_500,
};
