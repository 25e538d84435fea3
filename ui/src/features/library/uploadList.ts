/** The list of uploads as pure state: what waits, what is on its way, what arrived and what did not. */
import type { Document } from '@/lib/wire';

export type UploadState = 'waiting' | 'sending' | 'kept' | 'failed' | 'cancelled';

export interface Upload {
  readonly key: number;
  readonly file: File;
  /** The epoch of the session it was chosen in. */
  readonly epoch: number;
  /** Where it goes: a folder that is there, or a path that is made as needed. */
  readonly place: { readonly folder_id: string } | { readonly folder_path: string } | Readonly<Record<never, string>>;
  readonly state: UploadState;
  readonly sent: number;
  readonly document?: Document;
  readonly isNewVersion?: boolean;
  readonly problem?: string;
}

export type UploadEvent =
  | { readonly type: 'added'; readonly uploads: readonly Upload[] }
  | { readonly type: 'started'; readonly key: number }
  | { readonly type: 'progressed'; readonly key: number; readonly sent: number }
  | { readonly type: 'kept'; readonly key: number; readonly document: Document; readonly isNewVersion: boolean }
  | { readonly type: 'failed'; readonly key: number; readonly problem: string }
  | { readonly type: 'cancelled'; readonly key: number }
  | { readonly type: 'retried'; readonly key: number }
  | { readonly type: 'cleared' };

export function reduce(uploads: readonly Upload[], event: UploadEvent): readonly Upload[] {
  switch (event.type) {
    case 'added':
      return [...uploads, ...event.uploads];
    case 'started':
      return change(uploads, event.key, { state: 'sending', sent: 0 });
    case 'progressed':
      return change(uploads, event.key, { sent: event.sent });
    case 'kept':
      return change(uploads, event.key, { state: 'kept', document: event.document, isNewVersion: event.isNewVersion });
    case 'failed':
      return change(uploads, event.key, { state: 'failed', problem: event.problem });
    case 'cancelled':
      return change(uploads, event.key, { state: 'cancelled' });
    case 'retried':
      return change(uploads, event.key, { state: 'waiting', sent: 0 });
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

/** Which may start now, so that at most `limit` are on their way. */
export function startable(uploads: readonly Upload[], limit: number): readonly Upload[] {
  const free = limit - uploads.filter(({ state }) => state === 'sending').length;
  return uploads.filter(({ state }) => state === 'waiting').slice(0, Math.max(0, free));
}

/** The share of all bytes that is with the server. */
export function shareOf(uploads: readonly Upload[]): number {
  const counted = uploads.filter(({ state }) => state !== 'cancelled' && state !== 'failed');
  const total = counted.reduce((sum, { file }) => sum + Math.max(1, file.size), 0);
  const sent = counted.reduce((sum, upload) => sum + (upload.state === 'kept' ? Math.max(1, upload.file.size) : Math.min(upload.sent, upload.file.size)), 0);
  return total === 0 ? 1 : sent / total;
}

function change(uploads: readonly Upload[], key: number, more: Partial<Upload>): readonly Upload[] {
  return uploads.map((upload) => (upload.key === key ? { ...upload, ...more } : upload));
}
