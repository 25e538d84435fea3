/** The upload queue: three files at a time, on every page of the shell, until each has arrived or failed. */
import { create } from 'zustand';
import type { Found } from '@/lib/dropped';
import { session } from '@/lib/http';
import { messageOf } from '@/lib/problem';
import type { Credentials } from '@/lib/sse';
import { send } from '@/lib/upload';
import type { Document, Folder } from '@/lib/wire';
import { isRunning, reduce, startable, type Upload, type UploadEvent } from './uploadList';

const AT_A_TIME = 3;

export const useUploads = create<{ readonly uploads: readonly Upload[] }>(() => ({ uploads: [] }));

const running = new Map<number, AbortController>();
let nextKey = 1;

/** Puts files into a folder (null: the top), with the folders they were dropped in. */
export function upload(found: readonly Found[], folder: Folder | null): void {
  if (nextKey === 1) watchTheDoor();
  const uploads = found.map(({ file, folders }): Upload => ({ key: nextKey++, file, epoch: session.epoch, place: placeOf(folders, folder), state: 'waiting', sent: 0 }));
  tell({ type: 'added', uploads });
  pump();
}

export function cancel(key: number): void {
  running.get(key)?.abort();
  tell({ type: 'cancelled', key });
  pump();
}

export function retry(key: number): void {
  tell({ type: 'retried', key });
  pump();
}

export function clearFinished(): void {
  tell({ type: 'cleared' });
}

export function cancelAll(): void {
  for (const { key } of useUploads.getState().uploads.filter(isRunning)) cancel(key);
}

function placeOf(folders: readonly string[], folder: Folder | null): Upload['place'] {
  if (folders.length > 0) return { folder_path: [folder?.path ?? '', ...folders].join('/') };
  return folder === null ? {} : { folder_id: folder.id };
}

function tell(event: UploadEvent): void {
  useUploads.setState(({ uploads }) => ({ uploads: reduce(uploads, event) }));
}

function pump(): void {
  for (const waiting of startable(useUploads.getState().uploads, AT_A_TIME)) void deliver(waiting);
}

async function deliver({ key, file, place, epoch }: Upload): Promise<void> {
  if (epoch !== session.epoch) return cancel(key);
  const stop = new AbortController();
  running.set(key, stop);
  tell({ type: 'started', key });
  try {
    const { status, body } = await send<Document>({
      url: '/api/v1/documents',
      form: formOf(file, place),
      signal: stop.signal,
      credentials: credentialsOf(epoch),
      onProgress: (sent) => tell({ type: 'progressed', key, sent }),
    });
    tell({ type: 'kept', key, document: body, isNewVersion: status === 200 });
  } catch (error) {
    if (!stop.signal.aborted) tell({ type: 'failed', key, problem: messageOf(error) });
  } finally {
    running.delete(key);
    pump();
  }
}

/** The session's own, for as long as it is the one the file was chosen in. */
function credentialsOf(epoch: number): Credentials {
  return {
    get token() {
      return session.token;
    },
    renew: async (stale) => epoch === session.epoch && session.renew(stale),
  };
}

/** The place comes before the file, so that the server knows it before the bytes arrive. */
function formOf(file: File, place: Upload['place']): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(place)) form.set(name, value);
  form.set('file', file, file.name);
  return form;
}

/** Uploads belong to who is signed in and where; leaving the page in the middle asks first. */
function watchTheDoor(): void {
  session.subscribe(() => {
    cancelAll();
    clearFinished();
  });
  addEventListener('beforeunload', (event) => {
    if (useUploads.getState().uploads.some(isRunning)) event.preventDefault();
  });
}
