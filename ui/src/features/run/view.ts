/** What is known of a run: the values that its events add up to, and that components show. */
import type { Entity, Message } from '@/lib/conversationWire';

export type Standing = 'waiting' | 'running' | 'asking' | 'approving' | 'completed' | 'cancelled' | 'failed';

export interface TaskView {
  readonly id: string;
  readonly title: string;
  readonly status: 'loading' | 'success' | 'error';
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly sources: number;
  readonly notes: string | null;
  /** What it is doing now, or why it failed. */
  readonly action: string | null;
}

export interface PhaseView {
  readonly phase: string;
  readonly startedAt: number;
  readonly endedAt: number | null;
}

export interface ToolView {
  readonly id: string;
  readonly name: string | null;
  readonly action: string | null;
  readonly state: string;
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly passages: number | null;
}

/** A chapter of the outline of a deliverable. */
export interface ChapterView {
  readonly heading: string;
  /** What it is to tell, in a sentence; empty where nobody knows yet. */
  readonly message: string;
}

/** A report while it is being written. */
export interface PreviewView {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly isDone: boolean;
  readonly startedAt: number;
  /** How many sections it will have; 0 while nobody can tell. */
  readonly sectionsTotal: number;
  /** How often it was begun anew or came out otherwise than it was told. */
  readonly rewrites: number;
}

/** A change that the run wants to make, and what was decided on it. */
export interface ApprovalView {
  readonly id: string;
  readonly tool: string;
  readonly summary: string;
  readonly diff: string | null;
  readonly conflicts: readonly string[];
  readonly decision: 'pending' | 'approved' | 'rejected' | 'cancelled';
  readonly reason: string | null;
}

/** What a model is asked for while the run waits for it. */
export interface ActivityView {
  readonly message: string;
  /** How many seconds it will take, as its earlier calls tell; null while none does. */
  readonly estimateS: number | null;
}

export interface RunView {
  /** The last event that has been taken. */
  readonly seq: number;
  readonly standing: Standing;
  readonly text: string;
  /** The text in characters, as the server counts them. */
  readonly length: number;
  /** How often the text was taken back and written anew. */
  readonly rewrites: number;
  readonly title: string | null;
  readonly tasks: readonly TaskView[];
  readonly phases: readonly PhaseView[];
  readonly tools: readonly ToolView[];
  /** The chapters of what is being written; none where no deliverable is, or before its outline is made. */
  readonly outline: readonly ChapterView[];
  /** What it waits for a model to do; null when it does something else, or the answer is being written. */
  readonly activity: ActivityView | null;
  readonly references: Readonly<Record<string, Entity>>;
  readonly preview: PreviewView | null;
  readonly question: string | null;
  readonly approvals: readonly ApprovalView[];
  readonly checks: {
    readonly total: number;
    readonly verified: number;
    readonly weak: number;
    readonly failed: number;
  } | null;
  readonly usage: { readonly tokens: number; readonly costCents: number | null } | null;
  readonly failure: { readonly code: string; readonly message: string } | null;
  /** Whether notes or other things are still being made of the answer. */
  readonly isMakingMore: boolean;
  /** The message as it was kept. */
  readonly message: Message | null;
}

export const UNHEARD: RunView = {
  seq: 0,
  standing: 'waiting',
  text: '',
  length: 0,
  rewrites: 0,
  title: null,
  tasks: [],
  phases: [],
  tools: [],
  outline: [],
  activity: null,
  references: {},
  preview: null,
  question: null,
  approvals: [],
  checks: null,
  usage: null,
  failure: null,
  isMakingMore: false,
  message: null,
};

export function hasEnded({ standing }: Pick<RunView, 'standing'>): boolean {
  return standing === 'completed' || standing === 'cancelled' || standing === 'failed';
}
