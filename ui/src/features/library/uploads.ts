/**
 * The upload queue: a few requests at a time, on every page of the shell, until each file has arrived or was refused.
 * A server that goes away is waited for, and the files go on by themselves.
 */
import { create } from 'zustand';
import type { Found } from '@/lib/dropped';
import { session } from '@/lib/http';
import { ApiProblem, isUnreachable, messageOf } from '@/lib/problem';
import { useReachability } from '@/lib/reachability';
import type { Credentials } from '@/lib/sse';
import { send } from '@/lib/upload';
import type { Document, DocumentNews, Folder } from '@/lib/wire';
import { type Batch, batchForm, nextBatch, outcomesOf, singleForm } from './uploadBatches';
import { isRunning, type Outcome, reduce, type Upload, type UploadEvent } from './uploadList';

const AT_A_TIME = 3;
/** A way that breaks under one file again and again, while the server is there, is that file's own. */
const MOST_TRIES = 8;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15_000;
const GONE = 'The file can no longer be read where it was. It was moved, changed or locked: choose it again.';

interface Queue {
  readonly uploads: readonly Upload[];
  /** The server does not take files now; they wait for it. */
  readonly isHeldUp: boolean;
}

export const useUploads = create<Queue>(() => ({ uploads: [], isHeldUp: false }));

/** By the key of each upload that is on its way: the request it shares with others. */
const flights = new Map<number, AbortController>();
let nextKey = 1;
let waitMs = FIRST_WAIT_MS;
let resting: ReturnType<typeof setTimeout> | undefined;

/** Puts files into a folder (null: the top), with the folders they were dropped in. */
export function upload(found: readonly Found[], folder: Folder | null): void {
  if (nextKey === 1) watchTheDoor();
  const place = folder === null ? null : { id: folder.id, path: folder.path };
  const fresh = { epoch: session.epoch, folder: place, state: 'waiting', sent: 0, tries: 0 } as const;
  tell({
    type: 'added',
    uploads: found.map(({ file, folders }): Upload => ({ ...fresh, key: nextKey++, file, below: folders })),
  });
  pump();
}

export function cancel(...keys: readonly number[]): void {
  tell({ type: 'cancelled', keys });
  for (const flight of new Set(keys.map((key) => flights.get(key)))) flight?.abort();
  pump();
}

export function retry(...keys: readonly number[]): void {
  tell({ type: 'retried', keys });
  pump();
}

export function retryFailed(): void {
  retry(
    ...useUploads
      .getState()
      .uploads.filter(({ state }) => state === 'failed')
      .map(({ key }) => key),
  );
}

export function clearFinished(): void {
  tell({ type: 'cleared' });
}

export function cancelAll(): void {
  cancel(
    ...useUploads
      .getState()
      .uploads.filter(isRunning)
      .map(({ key }) => key),
  );
}

/** Takes in how far documents have been read, for those that came from here. */
export function hear(news: readonly DocumentNews[]): void {
  if (useUploads.getState().uploads.length > 0) tell({ type: 'read', news });
}

function tell(event: UploadEvent): void {
  useUploads.setState(({ uploads }) => ({ uploads: reduce(uploads, event) }));
}

function pump(): void {
  if (resting !== undefined || !useReachability.getState().reachable) return;
  while (new Set(flights.values()).size < AT_A_TIME) {
    const batch = nextBatch(useUploads.getState().uploads);
    if (batch.length === 0) return;
    if (batch.some(({ epoch }) => epoch !== session.epoch))
      tell({ type: 'cancelled', keys: batch.map(({ key }) => key) });
    else void deliver(batch);
  }
}

async function deliver(batch: readonly Upload[]): Promise<void> {
  const keys = batch.map(({ key }) => key);
  const flight = new AbortController();
  for (const key of keys) flights.set(key, flight);
  tell({ type: 'started', keys });
  try {
    const there = await readable(batch);
    if (there.length > 0 && !flight.signal.aborted)
      tell({ type: 'answered', outcomes: await sent(there, flight.signal) });
    waitMs = FIRST_WAIT_MS;
  } catch (error) {
    if (!flight.signal.aborted) stumble(batch, error);
  } finally {
    // Those that were with one that was cancelled.
    if (flight.signal.aborted) tell({ type: 'put_back', keys, why: 'left' });
    for (const key of keys) flights.delete(key);
    pump();
  }
}

/** A file that is gone would break the request of all, and look like a server that is away. */
async function readable(batch: readonly Upload[]): Promise<readonly Upload[]> {
  const read = await Promise.all(batch.map((one) => taken(one, batch.length > 1).catch(() => one.key)));
  const gone = read.filter((one) => typeof one === 'number');
  if (gone.length > 0)
    tell({ type: 'answered', outcomes: new Map(gone.map((key): [number, Outcome] => [key, { problem: GONE }])) });
  return read.filter((one) => typeof one !== 'number');
}

/** Files that go together are small enough to be held; of a large one the first byte tells. */
async function taken(one: Upload, isTogether: boolean): Promise<Upload> {
  const { name, type } = one.file;
  if (isTogether) return { ...one, file: new File([await one.file.arrayBuffer()], name, { type }) };
  await one.file.slice(0, 1).arrayBuffer();
  return one;
}

async function sent(batch: readonly Upload[], signal: AbortSignal): Promise<ReadonlyMap<number, Outcome>> {
  const [first] = batch;
  if (first === undefined) return new Map();
  const keys = batch.map(({ key }) => key);
  const sending = {
    signal,
    credentials: credentialsOf(first.epoch),
    onProgress: (loaded: number, total: number) =>
      tell({ type: 'progressed', keys, share: total === 0 ? 1 : loaded / total }),
  };
  if (batch.length > 1) {
    const { body } = await send<Batch>({ ...sending, url: '/api/v1/documents/batch', form: batchForm(batch) });
    return outcomesOf(batch, body);
  }
  const { status, body } = await send<Document>({ ...sending, url: '/api/v1/documents', form: singleForm(first) });
  return new Map([[first.key, { document: body, isNew: status === 201 }]]);
}

function stumble(batch: readonly Upload[], error: unknown): void {
  const failed = (uploads: readonly Upload[]) =>
    tell({
      type: 'answered',
      outcomes: new Map(uploads.map(({ key }): [number, Outcome] => [key, { problem: messageOf(error) }])),
    });
  const keys = batch.map(({ key }) => key);
  if (isPassing(error)) {
    failed(batch.filter(({ tries }) => tries + 1 >= MOST_TRIES));
    tell({ type: 'put_back', keys, why: 'cut' });
    rest(error instanceof ApiProblem ? error.retryAfterS : undefined);
  } else if (batch.length > 1 && isOfTheWhole(error)) {
    // Each hears for itself what is wrong with it, and the others get in.
    tell({ type: 'put_back', keys, why: 'apart' });
  } else failed(batch);
}

function isPassing(error: unknown): boolean {
  return isUnreachable(error) || (error instanceof ApiProblem && [429, 502, 503, 504].includes(error.status));
}

function isOfTheWhole(error: unknown): boolean {
  return error instanceof ApiProblem && [400, 413, 422, 500].includes(error.status);
}

/** Asks ever more rarely, or when the server said; a server that is out of reach is looked for elsewhere and wakes us. */
function rest(retryAfterS: number | undefined): void {
  useUploads.setState({ isHeldUp: true });
  clearTimeout(resting);
  resting = setTimeout(wake, retryAfterS === undefined ? waitMs : retryAfterS * 1_000);
  waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
}

function wake(): void {
  clearTimeout(resting);
  resting = undefined;
  if (useReachability.getState().reachable) useUploads.setState({ isHeldUp: false });
  pump();
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

/** Uploads belong to who is signed in and where; leaving the page in the middle asks first. */
function watchTheDoor(): void {
  session.subscribe(() => {
    cancelAll();
    clearFinished();
  });
  useReachability.subscribe(({ reachable }, before) => reachable && !before.reachable && wake());
  addEventListener('beforeunload', (event) => {
    if (useUploads.getState().uploads.some(isRunning)) event.preventDefault();
  });
}
