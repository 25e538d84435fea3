/** A conversation is a tree: an edited question or another try stands beside the first. One way through it is shown. */
import type { Message } from '@/lib/conversationWire';

/** A question with the answer that is shown below it. */
export interface Turn {
  readonly question: Message;
  /** The questions in the same place, oldest first. */
  readonly questions: readonly Message[];
  readonly answers: readonly Message[];
  /** The answer that is shown; null when the newest run has written none, or none yet. */
  readonly answer: Message | null;
  /** The answer is a question back; what follows is the reply to it. */
  readonly isAskingBack: boolean;
  /** The newest run, while no answer of it is kept. */
  readonly openRun: string | null;
}

/** The way through `at`, or to the newest message; beyond `at` it goes on along what is newest. */
export function turnsOf(messages: readonly Message[], at?: string): readonly Turn[] {
  const children = byParent(messages);
  const byId = new Map(messages.map((message) => [message.id, message]));
  const target = (at === undefined ? undefined : byId.get(at)) ?? messages.at(-1);
  if (!target) return [];
  return [...wayTo(target, byId), ...wayOn(target, children)].reduce<readonly Turn[]>(
    (turns, message) => withMessage(turns, message, children),
    [],
  );
}

function wayTo(target: Message, byId: ReadonlyMap<string, Message>): Message[] {
  const way: Message[] = [];
  const seen = new Set<string>();
  for (
    let message: Message | undefined = target;
    message && !seen.has(message.id);
    message = byId.get(message.parent_message_id ?? '')
  ) {
    seen.add(message.id);
    way.unshift(message);
  }
  return way;
}

type Children = ReadonlyMap<string | null, readonly Message[]>;

function byParent(messages: readonly Message[]): Children {
  const children = new Map<string | null, Message[]>();
  for (const message of messages) {
    const beside = children.get(message.parent_message_id);
    if (beside) beside.push(message);
    else children.set(message.parent_message_id, [message]);
  }
  return children;
}

function wayOn(target: Message, children: Children): Message[] {
  const way: Message[] = [];
  for (let message: Message | undefined = target; message;) {
    const next: Message | undefined =
      openRunOf(message, children) === null ? children.get(message.id)?.at(-1) : undefined;
    if (next) way.push(next);
    message = next;
  }
  return way;
}

/** The run of a question whose answer is not among the messages. */
function openRunOf({ id, role, run_id }: Message, children: Children): string | null {
  if (role === 'agent' || run_id === null) return null;
  return children.get(id)?.some((answer) => answer.run_id === run_id) ? null : run_id;
}

function withMessage(turns: readonly Turn[], message: Message, children: Children): readonly Turn[] {
  if (message.role === 'user') {
    const beside = children.get(message.parent_message_id) ?? [];
    const answers = (children.get(message.id) ?? []).filter(({ role }) => role === 'agent');
    const turn: Turn = {
      question: message,
      questions: beside.filter(({ role }) => role === 'user'),
      answers,
      answer: null,
      isAskingBack: false,
      openRun: openRunOf(message, children),
    };
    return [...turns, turn];
  }
  const last = turns.at(-1);
  return last
    ? [...turns.slice(0, -1), { ...last, answer: message, isAskingBack: asksBack(message, children) }]
    : turns;
}

/** It waits for a reply, or has got one: the reply belongs to the same run. */
function asksBack({ id, run_id, needs_clarification_message }: Message, children: Children): boolean {
  return (
    needs_clarification_message !== null ||
    (children.get(id)?.some((reply) => reply.role === 'user' && reply.run_id === run_id) ?? false)
  );
}

/** The message that a new question follows. */
export function leafOf(turns: readonly Turn[]): string | null {
  const last = turns.at(-1);
  return last ? (last.answer ?? last.question).id : null;
}

export interface Place {
  /** Counted from one. */
  readonly position: number;
  readonly total: number;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Where the shown question stands among those beside it. */
export function questionPlace({ question, questions }: Turn): Place {
  const ids = questions.map(({ id }) => id);
  return placeIn(ids, ids.indexOf(question.id));
}

/** Where the shown answer stands among the tries; a try without an answer is led to by its question. */
export function answerPlace({ question, answers, answer, openRun }: Turn): Place {
  const ids = [...answers.map(({ id }) => id), ...(openRun === null ? [] : [question.id])];
  return placeIn(ids, answer === null ? ids.length - 1 : ids.indexOf(answer.id));
}

function placeIn(ids: readonly string[], index: number): Place {
  return { position: index + 1, total: ids.length, before: ids[index - 1], after: ids[index + 1] };
}

/** The messages with one more, or with a newer state of one that is there. */
export function withNewer(messages: readonly Message[], message: Message): readonly Message[] {
  return messages.some(({ id }) => id === message.id)
    ? messages.map((one) => (one.id === message.id ? message : one))
    : [...messages, message];
}
