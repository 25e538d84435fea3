/** What deliverables are called, what they can be exported as, and how far they are, in words. */
import { type Deliverable, DELIVERABLE_KINDS, EXPORT_FORMS, type Kind, type Status } from '@/lib/deliverableWire';
import { count } from '@/lib/format';

export const FORMATS = EXPORT_FORMS;
export type Format = (typeof FORMATS)[number];

export const KINDS: readonly Kind[] = DELIVERABLE_KINDS.map(({ value }) => value);

interface KindDeclaration {
  readonly text: string;
  readonly icon: string;
  /** What of it is shown: its paper, its PDF, its pages in a frame, or its files alone. */
  readonly view: 'paper' | 'pdf' | 'pages' | 'files';
}

/** How a kind is declared. One that a newer server knows has its name, and its files. */
export function kindOf(kind: Kind): KindDeclaration {
  return DELIVERABLE_KINDS.find(({ value }) => value === kind) ?? { text: kind, icon: '', view: 'files' };
}

export const STATUS_NAMES: Readonly<Record<Status, string>> = {
  pending: 'Waiting',
  in_progress: 'Being made',
  completed: 'Ready',
  failed: 'Failed',
  cancelled: 'Stopped',
};
export const STATUSES = Object.keys(STATUS_NAMES) as readonly Status[];

const PHASES: Readonly<Record<string, string>> = {
  reading: 'Reading the brief',
  storing: 'Putting it away',
};

export function phaseOf({ status, phase }: Pick<Deliverable, 'status' | 'phase'>): string {
  if (status === 'pending') return 'Waiting for its turn';
  const form = FORMATS.find(({ format }) => format === phase);
  return PHASES[phase] ?? (form?.phase || (phase === '' ? STATUS_NAMES[status] : phase));
}

/** “Version 2 · 1,240 words · 3 files”. */
export function factsOf({ version, words, files }: Pick<Deliverable, 'version' | 'words' | 'files'>): string {
  return [
    version > 0 && `Version ${version}`,
    words > 0 && count(words, 'word'),
    files.length > 1 && count(files.length, 'file'),
  ]
    .filter(Boolean)
    .join(' · ');
}

/** What was done to the version before, in words; “” for one that a run made. */
export function changeOf({ change }: Pick<Deliverable, 'change'>): string {
  const [done, of] = change.split(':');
  if (done === 'edited') return 'Edited by hand';
  if (done === 'renamed') return 'Renamed';
  return done === 'taken_back' ? `As version ${of ?? ''} again` : '';
}

/** “4 s”, “1:05”. */
export function elapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
