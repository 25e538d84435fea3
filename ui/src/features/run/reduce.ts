/** What a run has told so far: a pure function of its events, so that a replay gives the same as having been there. */
import { lengthOf, unitOf } from '@/lib/codepoints';
import type { Message, PlanSet, RunEvent } from '@/lib/conversationWire';
import type { ApprovalView, PreviewView, RunView, TaskView, ToolView } from './view';

const SHOWN_TITLES = 3;

/** The view after one more event. An event that was taken before, or that a newer server invented, changes nothing. */
export function reduce(run: RunView, seq: number, event: RunEvent): RunView {
  if (seq !== 0 && seq <= run.seq) return run;
  const next = apply(run, event);
  return seq === 0 ? next : { ...next, seq };
}

function apply(run: RunView, event: RunEvent): RunView {
  switch (event.type) {
    case 'stream_start':
      return { ...run, standing: 'running' };
    case 'progress_update':
      return { ...run, activity: { message: event.message, estimateS: event.estimate_s } };
    case 'message_delta':
      return { ...withText(run, event.offset, event.delta), activity: null };
    case 'ai_message':
      return run.text === event.message.content ? run : withText(run, 0, event.message.content);
    case 'chat_title_generated':
      return { ...run, title: event.title };
    case 'phase_started':
      return {
        ...run,
        standing: 'running',
        phases: [
          ...run.phases.filter(({ phase }) => phase !== event.phase),
          { phase: event.phase, startedAt: event.timestamp, endedAt: null },
        ],
      };
    case 'phase_completed':
      return {
        ...run,
        phases: run.phases.map((one) => (one.phase === event.phase ? { ...one, endedAt: event.timestamp } : one)),
      };
    case 'plan_created':
      return { ...run, activity: null, tasks: merged(run.tasks, Object.values(event.plan.plan_tasks)) };
    case 'outline_created':
      return { ...run, outline: event.chapters };
    case 'task_update':
      return { ...run, tasks: merged(run.tasks, tasksOf(event.plan_set)) };
    case 'subagent_failed':
      return {
        ...run,
        tasks: run.tasks.map((task) =>
          task.id === event.task_id ? { ...task, status: 'error', action: event.error_message } : task,
        ),
      };
    case 'update_subagent_current_action':
      return { ...run, tools: withAction(run.tools, event.tool_id, event.current_action) };
    case 'node_tools_execution_start':
      return {
        ...run,
        tools: [
          ...run.tools.filter(({ id }) => !event.tool_ids.includes(id)),
          ...event.tool_ids.map((id) => startedTool(id, event.timestamp)),
        ],
      };
    case 'node_tool_event':
      return {
        ...run,
        tools: withCall(run.tools, event),
      };
    case 'pending_sources':
      return { ...run, activity: reading(event) };
    case 'references_found':
      return {
        ...run,
        references: {
          ...run.references,
          ...Object.fromEntries(event.references.map((entity) => [entity.identifier, entity])),
        },
      };
    case 'citations_created':
      return {
        ...run,
        activity: null,
        checks: { total: event.total, verified: event.verified, weak: event.weak, failed: event.failed },
      };
    case 'usage-update':
      return { ...run, usage: { tokens: event.total_tokens, costCents: event.cost_cents } };
    case 'clarification_needed':
      return {
        ...run,
        standing: 'asking',
        question: event.message.needs_clarification_message ?? event.message.content,
      };
    case 'clarification_received':
      return { ...run, standing: 'running', question: null };
    case 'approval_needed':
      return {
        ...run,
        standing: 'approving',
        approvals: [...run.approvals.filter(({ id }) => id !== event.interaction_id), askedFor(event)],
      };
    case 'approval_resolved':
      return resolved(run, event);
    case 'ERROR':
      return { ...run, standing: 'failed', failure: { code: event.error_type, message: event.error_message } };
    case 'done':
      return {
        ...run,
        standing: event.status,
        question: null,
        activity: null,
        isMakingMore: event.has_async_entities_pending,
        message: asKept(event.message),
      };
    case 'entity_created':
      return { ...run, references: { ...run.references, [event.entity.identifier]: event.entity } };
    case 'node_report_preview_start':
      return {
        ...run,
        preview: {
          id: event.preview_id,
          title: event.report_title,
          text: '',
          isDone: false,
          startedAt: event.timestamp,
          sectionsTotal: event.sections_total ?? 0,
          rewrites: run.preview === null ? 0 : run.preview.rewrites + 1,
        },
      };
    case 'node_report_preview_delta':
      return run.preview?.id === event.preview_id
        ? { ...run, preview: { ...run.preview, text: run.preview.text + event.delta } }
        : run;
    case 'node_report_preview_done':
      return run.preview?.id === event.preview_id ? { ...run, preview: written(run.preview, event) } : run;
    case 'message_is_answer':
    case 'subagent_spawned':
    case 'subagent_result':
    case 'update_message_clarification_message':
    case 'artifact_created':
    case 'manifest_created':
    case 'heartbeat':
      return run;
    default:
      event satisfies never;
      return run;
  }
}

type Event<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;

function askedFor({
  interaction_id: id,
  tool_name: tool,
  summary,
  diff,
  conflicts,
}: Event<'approval_needed'>): ApprovalView {
  return { id, tool, summary, diff, conflicts, decision: 'pending', reason: null };
}

/** The run goes on once nothing is left to decide. */
function resolved(run: RunView, { interaction_id: id, decision, reason }: Event<'approval_resolved'>): RunView {
  const approvals = run.approvals.map((one) => (one.id === id ? { ...one, decision, reason } : one));
  return { ...run, approvals, standing: approvals.some((one) => one.decision === 'pending') ? 'approving' : 'running' };
}

function written(
  preview: PreviewView,
  { content, report_title: title }: { readonly content: string; readonly report_title: string },
): PreviewView {
  return {
    ...preview,
    title,
    text: content,
    isDone: true,
    rewrites: preview.rewrites + (content === preview.text ? 0 : 1),
  };
}

/** The two contracts write the same message in two ways. */
function asKept(message: Extract<RunEvent, { type: 'done' }>['message']): Message | null {
  return message as unknown as Message | null;
}

/** The text up to the offset, then the new piece. */
function withText(run: RunView, offset: number, delta: string): RunView {
  const added = lengthOf(delta);
  if (offset === run.length) return { ...run, text: run.text + delta, length: run.length + added };
  const kept = Math.min(offset, run.length);
  return {
    ...run,
    text: run.text.slice(0, unitOf(run.text, kept)) + delta,
    length: kept + added,
    rewrites: run.rewrites + 1,
  };
}

type PlanTask = PlanSet['plans'][string]['plan_tasks'][string];

function tasksOf(set: PlanSet): readonly PlanTask[] {
  return Object.values(set.plans).flatMap((plan) => Object.values(plan.plan_tasks));
}

/** The tasks as told now, in the order in which they were first heard of. */
function merged(before: readonly TaskView[], told: readonly PlanTask[]): readonly TaskView[] {
  const known = new Map(before.map((task) => [task.id, task]));
  const views = told.map((task) => ({
    id: task.id,
    title: task.title,
    status: task.status,
    startedAt: task.start_time,
    endedAt: task.end_time,
    sources: task.sources.length,
    notes: task.notes,
    action:
      task.status === 'loading'
        ? (known.get(task.id)?.action ?? null)
        : task.status === 'error'
          ? (known.get(task.id)?.action ?? task.notes)
          : null,
  }));
  const place = (id: string) => before.findIndex((task) => task.id === id);
  return before.length === 0 ? views : views.toSorted((a, b) => place(a.id) - place(b.id));
}

/** The calls after one began or ended; one that was not announced with its task's others is added. */
function withCall(tools: readonly ToolView[], event: Event<'node_tool_event'>): readonly ToolView[] {
  if (event.tool_id === null) return tools;
  const known = tools.find(({ id }) => id === event.tool_id) ?? startedTool(event.tool_id, event.timestamp);
  const isOver = event.event !== 'started';
  const told: ToolView = {
    ...known,
    name: event.tool_type,
    state: isOver ? event.event : known.state,
    startedAt: isOver ? known.startedAt : event.timestamp,
    endedAt: isOver ? event.timestamp : null,
    passages: countIn(event.metadata),
  };
  return tools.includes(known) ? tools.map((tool) => (tool === known ? told : tool)) : [...tools, told];
}

function reading({ pending_sources: sources }: Event<'pending_sources'>): RunView['activity'] {
  const titles = sources.filter(({ status }) => status === 'reading').map(({ title }) => title);
  const more = titles.length > SHOWN_TITLES ? ` and ${String(titles.length - SHOWN_TITLES)} more` : '';
  return titles.length === 0
    ? null
    : { message: `Reading ${titles.slice(0, SHOWN_TITLES).join(', ')}${more}`, estimateS: null };
}

function startedTool(id: string, startedAt: number): ToolView {
  return { id, name: null, action: null, state: 'running', startedAt, endedAt: null, passages: null };
}

function withAction(tools: readonly ToolView[], id: string | null, action: string): readonly ToolView[] {
  return tools.map((tool) => (tool.id === id ? { ...tool, action } : tool));
}

function countIn(metadata: Readonly<Record<string, unknown>> | null): number | null {
  return typeof metadata?.passages === 'number' ? metadata.passages : null;
}
