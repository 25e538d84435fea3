/** The list of uploads as pure state: what waits, what is on its way, what arrived and what did not. */
import { isSettled } from '@/lib/documents';
import type { Document, DocumentNews } from '@/lib/wire';

export type UploadState = 'waiting' | 'sending' | 'kept' | 'failed' | 'cancelled';

export interface Upload {
  readonly key: number;
  readonly file: File;
  /** The epoch of the session it was chosen in. */
  readonly epoch: number;
  /** The folder it was brought to (null: the top), and the folders it was dropped in. */
  readonly folder: { readonly id: string; readonly path: string } | null;
  readonly below: readonly string[];
  readonly state: UploadState;
  readonly sent: number;
  /** How often the way to the server broke under it. */
  readonly tries: number;
  /** Goes by itself: as one of many it was refused with them. */
  readonly isAlone?: boolean;
  readonly document?: Document;
  readonly isNewVersion?: boolean;
  readonly problem?: string;
}

/** What became of a file that the server has answered for. */
export type Outcome = { readonly document: Document; readonly isNew: boolean } | { readonly problem: string };

export type UploadEvent =
  | { readonly type: 'added'; readonly uploads: readonly Upload[] }
  | { readonly type: 'started'; readonly keys: readonly number[] }
  | { readonly type: 'progressed'; readonly keys: readonly number[]; readonly share: number }
  | { readonly type: 'answered'; readonly outcomes: ReadonlyMap<number, Outcome> }
  | { readonly type: 'put_back'; readonly keys: readonly number[]; readonly why: 'cut' | 'apart' | 'left' }
  | { readonly type: 'cancelled'; readonly keys: readonly number[] }
  | { readonly type: 'retried'; readonly keys: readonly number[] }
  | { readonly type: 'read'; readonly news: readonly DocumentNews[] }
  | { readonly type: 'cleared' };

export function reduce(uploads: readonly Upload[], event: UploadEvent): readonly Upload[] {
  switch (event.type) {
    case 'added':
      return [...uploads, ...event.uploads];
    case 'started':
      return change(uploads, event.keys, () => ({ state: 'sending', sent: 0 }));
    case 'progressed':
      return change(uploads, event.keys, ({ file }) => ({
        sent: Math.min(file.size, Math.round(file.size * event.share)),
      }));
    case 'answered':
      return uploads.map((upload) => withOutcome(upload, event.outcomes.get(upload.key)));
    case 'put_back':
      return putBack(uploads, event.keys, event.why);
    case 'cancelled':
      return change(uploads, event.keys, () => ({ state: 'cancelled' }));
    case 'retried':
      return change(uploads, event.keys, () => ({ state: 'waiting', sent: 0, tries: 0 }));
    case 'read':
      return withNews(uploads, event.news);
    case 'cleared':
      return uploads.filter(isRunning);
    default:
      event satisfies never;
      return uploads;
  }
}

export function isRunning({ state }: Upload): boolean {
  return state === 'waiting' || state === 'sending';
}

/** Did not arrive, or arrived and could not be read. */
export function isTrouble({ state, document }: Upload): boolean {
  return state === 'failed' || document?.indexing_status === 'failed';
}

/** Arrived, and what becomes of it is not known yet. */
export function isBeingRead({ state, document }: Upload): boolean {
  return state === 'kept' && document !== undefined && !isSettled(document);
}

/** The share of all bytes that is with the server. */
export function shareOf(uploads: readonly Upload[]): number {
  const counted = uploads.filter(({ state }) => state !== 'cancelled' && state !== 'failed');
  const total = counted.reduce((sum, { file }) => sum + Math.max(1, file.size), 0);
  const sent = counted.reduce(
    (sum, upload) =>
      sum + (upload.state === 'kept' ? Math.max(1, upload.file.size) : Math.min(upload.sent, upload.file.size)),
    0,
  );
  return total === 0 ? 1 : sent / total;
}

const RANKS: Readonly<Record<UploadState, number>> = { failed: 0, sending: 1, waiting: 2, cancelled: 3, kept: 4 };

/** The rows worth showing when there are too many for all: trouble first, then what moves, then the latest to arrive. */
export function rowsOf(uploads: readonly Upload[], most: number): readonly Upload[] {
  if (uploads.length <= most) return uploads;
  const rank = (upload: Upload) => (isTrouble(upload) ? RANKS.failed : RANKS[upload.state]);
  return uploads
    .toSorted(
      (one, other) => rank(one) - rank(other) || (one.state === 'kept' ? other.key - one.key : one.key - other.key),
    )
    .slice(0, most);
}

function putBack(
  uploads: readonly Upload[],
  keys: readonly number[],
  why: 'cut' | 'apart' | 'left',
): readonly Upload[] {
  const stillSending = uploads
    .filter(({ key, state }) => state === 'sending' && keys.includes(key))
    .map(({ key }) => key);
  return change(uploads, stillSending, ({ tries }) => ({
    state: 'waiting',
    sent: 0,
    ...(why === 'cut' && { tries: tries + 1 }),
    ...(why === 'apart' && { isAlone: true }),
  }));
}

function withOutcome(upload: Upload, outcome: Outcome | undefined): Upload {
  if (outcome === undefined || upload.state !== 'sending') return upload;
  if ('problem' in outcome) return { ...upload, state: 'failed', problem: outcome.problem };
  const { document, isNew } = outcome;
  return { ...upload, state: 'kept', document, isNewVersion: !isNew && document.version > 1 };
}

function withNews(uploads: readonly Upload[], news: readonly DocumentNews[]): readonly Upload[] {
  const byId = new Map(news.map((each) => [each.id, each]));
  if (!uploads.some(({ document }) => document && byId.has(document.id))) return uploads;
  return uploads.map((upload) => {
    const told = upload.document && byId.get(upload.document.id);
    return told && upload.document ? { ...upload, document: { ...upload.document, ...told } } : upload;
  });
}

function change(
  uploads: readonly Upload[],
  keys: readonly number[],
  more: (upload: Upload) => Partial<Upload>,
): readonly Upload[] {
  const wanted = new Set(keys);
  return uploads.map((upload) => (wanted.has(upload.key) ? { ...upload, ...more(upload) } : upload));
}
