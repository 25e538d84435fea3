/** What goes to the server in one request: small files together, as many as it takes well, and each large one by itself. */
import type { Document } from '@/lib/wire';
import type { Outcome, Upload } from './uploadList';

/** The server takes a hundred and 16 MiB. Half of that keeps the bar moving and loses less when the way breaks. */
const MOST_FILES = 50;
const MOST_BYTES = 4 << 20;
const SMALL_BYTES = 512 << 10;

interface BatchItem {
  readonly document: Document | null;
  readonly is_new: boolean;
  readonly problem: { readonly detail: string } | null;
}

export interface Batch {
  readonly items: readonly BatchItem[];
}

/** The next to send; empty when nothing waits. */
export function nextBatch(uploads: readonly Upload[]): readonly Upload[] {
  const first = uploads.find(({ state }) => state === 'waiting');
  if (first === undefined || !mayShare(first)) return first === undefined ? [] : [first];
  const batch: Upload[] = [];
  const paths = new Set<string>();
  let bytes = 0;
  for (const upload of uploads) {
    if (
      upload.state !== 'waiting' ||
      !mayShare(upload) ||
      upload.folder?.id !== first.folder?.id ||
      upload.epoch !== first.epoch
    )
      continue;
    // Two of one name are two versions: the second comes after the first.
    const path = pathOf(upload).normalize();
    if (paths.has(path)) continue;
    if (batch.length === MOST_FILES || (batch.length > 0 && bytes + upload.file.size > MOST_BYTES)) break;
    paths.add(path);
    bytes += upload.file.size;
    batch.push(upload);
  }
  return batch;
}

/** Several files and the folder they are brought to; where each lay below it is in its name. */
export function batchForm(batch: readonly Upload[]): FormData {
  const form = new FormData();
  const path = batch[0]?.folder?.path;
  if (path !== undefined) form.set('folder_path', path);
  for (const upload of batch) form.append('file', upload.file, pathOf(upload));
  return form;
}

/** One file. The place comes before it, so that the server knows it before the bytes arrive. */
export function singleForm({ file, folder, below }: Upload): FormData {
  const form = new FormData();
  if (below.length > 0) form.set('folder_path', [folder?.path ?? '', ...below].join('/'));
  else if (folder !== null) form.set('folder_id', folder.id);
  form.set('name', file.name);
  form.set('file', file, file.name);
  return form;
}

/** What the server said of each, in the order they were sent. */
export function outcomesOf(batch: readonly Upload[], { items }: Batch): ReadonlyMap<number, Outcome> {
  return new Map(batch.map(({ key }, position) => [key, outcomeOf(items[position])]));
}

function outcomeOf(item: BatchItem | undefined): Outcome {
  if (item?.document) return { document: item.document, isNew: item.is_new };
  return { problem: item?.problem?.detail ?? 'The server said nothing of this file. Try it again.' };
}

function pathOf({ below, file }: Upload): string {
  return [...below, file.name].join('/');
}

/** Browsers write some characters of a file's name otherwise into a form than they are; a field of its own keeps them. */
function mayShare(upload: Upload): boolean {
  return !upload.isAlone && upload.file.size <= SMALL_BYTES && !/["\r\n\\]|%(22|0D|0A)/.test(pathOf(upload));
}
