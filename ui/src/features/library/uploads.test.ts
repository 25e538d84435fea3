import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { session } from '@/lib/http';
import { reachability } from '@/lib/reachability';
import { nextBatch } from './uploadBatches';
import { documentOf, folderOf } from './testing';
import { isRunning, reduce, rowsOf, shareOf, type Upload } from './uploadList';
import { cancel, clearFinished, hear, retry, retryFailed, upload, useUploads } from './uploads';

const uploadOf = (key: number, more: Partial<Upload> = {}): Upload => ({
  key,
  file: new File(['x'.repeat(100)], `${key}.txt`),
  epoch: 0,
  folder: null,
  below: [],
  state: 'waiting',
  sent: 0,
  tries: 0,
  ...more,
});
const keys = (list: readonly Upload[]) => nextBatch(list).map(({ key }) => key);
const sized = (bytes: number, name: string) => new File([new Uint8Array(bytes)], name);

describe('the list of uploads', () => {
  test('knows how far the whole is', () => {
    expect(
      shareOf([
        uploadOf(1, { state: 'kept' }),
        uploadOf(2, { state: 'sending', sent: 50 }),
        uploadOf(3, { state: 'failed' }),
      ]),
    ).toBe(0.75);
    expect(shareOf([])).toBe(1);
  });

  test('keeps what still runs when it is cleared', () => {
    const list = [uploadOf(1, { state: 'kept' }), uploadOf(2, { state: 'sending' })];
    expect(reduce(list, { type: 'cleared' }).map(({ key }) => key)).toEqual([2]);
  });

  test('shows trouble first when it is too long to show', () => {
    const list = [
      uploadOf(1, { state: 'kept' }),
      uploadOf(2, { state: 'kept' }),
      uploadOf(3),
      uploadOf(4, { state: 'failed' }),
    ];
    expect(rowsOf(list, 3).map(({ key }) => key)).toEqual([4, 3, 2]);
    expect(rowsOf(list, 4)).toBe(list);
  });
});

describe('an batch', () => {
  test('holds small files of one place, by number and by bytes', () => {
    expect(nextBatch(Array.from({ length: 120 }, (_, number) => uploadOf(number)))).toHaveLength(50);
    expect(
      nextBatch(Array.from({ length: 20 }, (_, number) => uploadOf(number, { file: sized(500_000, `${number}`) }))),
    ).toHaveLength(8);
    const elsewhere = { folder: { id: 'f', path: '/f' } };
    expect(keys([uploadOf(1), uploadOf(2, elsewhere), uploadOf(3)])).toEqual([1, 3]);
    expect(keys([uploadOf(1, { state: 'kept' }), uploadOf(2, elsewhere), uploadOf(3)])).toEqual([2]);
  });

  test('leaves a large file, and one that must go alone, to a request of its own', () => {
    expect(keys([uploadOf(1, { file: sized(600_000, 'large') }), uploadOf(2)])).toEqual([1]);
    expect(keys([uploadOf(1), uploadOf(2, { isAlone: true }), uploadOf(3)])).toEqual([1, 3]);
    expect(keys([uploadOf(1, { file: new File(['x'], 'a "b".txt') }), uploadOf(2)])).toEqual([1]);
  });

  test('holds a name only once', () => {
    const same = { file: new File(['x'], 'same.txt') };
    expect(keys([uploadOf(1, same), uploadOf(2, same), uploadOf(3, { ...same, below: ['deeper'] })])).toEqual([1, 3]);
  });
});

/** A network in which each request waits to be answered by the test. */
class FakeRequest extends EventTarget {
  static sent: FakeRequest[] = [];
  readonly upload = new EventTarget();
  readonly headers = new Map<string, string>();
  form: FormData | null = null;
  status = 0;
  responseText = '';
  open(): void {}
  setRequestHeader(name: string, value: string): void {
    this.headers.set(name, value);
  }
  getResponseHeader(): null {
    return null;
  }
  send(form: FormData): void {
    this.form = form;
    FakeRequest.sent.push(this);
  }
  abort(): void {
    this.dispatchEvent(new Event('abort'));
  }
  answer(status: number, body: unknown): void {
    this.status = status;
    this.responseText = JSON.stringify(body);
    this.dispatchEvent(new Event('load'));
  }
}

const states = () => useUploads.getState().uploads.map(({ state }) => state);
const files = (...names: readonly string[]) =>
  names.map((name) => ({ file: new File(['abc'], name), folders: [] as readonly string[] }));
const large = (...names: readonly string[]) =>
  names.map((name) => ({ file: sized(600_000, name), folders: [] as readonly string[] }));
/** The request of this position, once it is on its way. */
const request = (position: number) =>
  vi.waitFor(() => {
    const found = FakeRequest.sent[position];
    if (!found) throw new Error('not sent yet');
    return found;
  });
const kept = (name: string) => ({
  filename: name,
  is_new: true,
  document: documentOf({ id: name, name, indexing_status: 'pending' }),
  problem: null,
});
const refused = (name: string, detail: string) => ({
  filename: name,
  is_new: false,
  document: null,
  problem: { status: 422, code: 'invalid', title: '', detail },
});
const settle = (expected: readonly string[]) =>
  vi.waitFor(() => expect(states()).toEqual(expected), { timeout: 3_000 });

describe('the queue', () => {
  beforeEach(() => {
    FakeRequest.sent = [];
    reachability.report(true);
    useUploads.setState({ uploads: [], isHeldUp: false });
    vi.stubGlobal('XMLHttpRequest', FakeRequest);
  });
  afterEach(() => {
    for (const { key } of useUploads.getState().uploads.filter(isRunning)) cancel(key);
    clearFinished();
    reachability.report(true);
    vi.unstubAllGlobals();
  });

  test('sends three large files at a time, and the next when one has arrived', async () => {
    upload(large('a', 'b', 'c', 'd'), null);
    expect(states()).toEqual(['sending', 'sending', 'sending', 'waiting']);
    (await request(2)).answer(201, documentOf());
    await settle(['sending', 'sending', 'kept', 'sending']);
  });

  test('sends small files together, each with the folders it was dropped in, and hears of each', async () => {
    upload(
      [{ file: new File(['x'], 'a.txt'), folders: ['2025', 'Q1'] }, ...files('b.txt', 'c.txt')],
      folderOf('reports', null, { path: '/reports' }),
    );
    const { form } = await request(0);
    expect(form?.get('folder_path')).toBe('/reports');
    expect(form?.getAll('file').map((each) => (each as File).name)).toEqual(['2025/Q1/a.txt', 'b.txt', 'c.txt']);
    FakeRequest.sent[0]?.answer(200, {
      items: [kept('a.txt'), refused('b.txt', 'There is a folder of this name.'), kept('c.txt')],
    });
    await settle(['kept', 'failed', 'kept']);
    expect(useUploads.getState().uploads[1]?.problem).toBe('There is a folder of this name.');
    hear([{ ...documentOf({ id: 'c.txt' }), indexing_status: 'completed' }]);
    expect(useUploads.getState().uploads.map(({ document }) => document?.indexing_status)).toEqual([
      'pending',
      undefined,
      'completed',
    ]);
  });

  test('puts one file below the folder on show by its path, or by its id', async () => {
    const reports = folderOf('reports', null, { path: '/reports' });
    upload([{ file: new File(['x'], 'a.txt'), folders: ['2025', 'Q1'] }], reports);
    upload(files('b.txt'), reports);
    expect((await request(0)).form?.get('folder_path')).toBe('/reports/2025/Q1');
    expect((await request(1)).form?.get('folder_id')).toBe('reports');
  });

  test('says in words why a file was refused, and tries again when asked', async () => {
    upload(files('a'), null);
    (await request(0)).answer(402, {
      code: 'storage_exceeded',
      title: '',
      detail: 'The workspace is full. Delete something first.',
    });
    await settle(['failed']);
    const [failed] = useUploads.getState().uploads;
    expect(failed?.problem).toBe('The workspace is full. Delete something first.');
    retry(failed?.key ?? 0);
    (await request(1)).answer(200, documentOf({ version: 2 }));
    await vi.waitFor(() => expect(useUploads.getState().uploads[0]?.isNewVersion).toBe(true));
  });

  test('tries all that failed again with one word', async () => {
    upload(files('a', 'b', 'c'), null);
    (await request(0)).answer(403, { code: 'forbidden', title: '', detail: 'You may only read here.' });
    await settle(['failed', 'failed', 'failed']);
    retryFailed();
    expect(states()).toEqual(['sending', 'sending', 'sending']);
  });

  test('sends one by one what was refused together', async () => {
    upload(files('a', 'b'), null);
    (await request(0)).answer(413, { code: 'form_too_large', title: '', detail: 'Too large.' });
    (await request(1)).answer(201, documentOf());
    (await request(2)).answer(413, { code: 'too_large', title: '', detail: 'This one is too large.' });
    await settle(['kept', 'failed']);
  });

  test('waits for a server that went away, and goes on by itself', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('away')));
    upload(files('a', 'b'), null);
    (await request(0)).dispatchEvent(new Event('error'));
    await settle(['waiting', 'waiting']);
    expect(useUploads.getState().isHeldUp).toBe(true);
    reachability.report(true);
    expect(useUploads.getState().isHeldUp).toBe(false);
    (await request(1)).answer(200, { items: [kept('a'), kept('b')] });
    await settle(['kept', 'kept']);
  });

  test('comes back to a busy server when it said', async () => {
    upload(files('a'), null);
    (await request(0)).answer(503, { code: 'unavailable', title: '', detail: 'The database is away.' });
    await settle(['waiting']);
    (await request(1)).answer(201, documentOf());
    await settle(['kept']);
  }, 10_000);

  test('does not let a file that is gone hold up the others', async () => {
    const gone = new File(['x'], 'gone.txt');
    gone.arrayBuffer = () => Promise.reject(new DOMException('gone', 'NotFoundError'));
    upload([...files('a'), { file: gone, folders: [] }, ...files('c')], null);
    (await request(0)).answer(200, { items: [kept('a'), kept('c')] });
    await settle(['kept', 'failed', 'kept']);
    expect(useUploads.getState().uploads[1]?.problem).toContain('choose it again');
  });

  test('goes on with the others when one is cancelled', async () => {
    upload(files('a', 'b', 'c'), null);
    await request(0);
    cancel(useUploads.getState().uploads[1]?.key ?? 0);
    const { form } = await request(1);
    expect(states()).toEqual(['sending', 'cancelled', 'sending']);
    expect(form?.getAll('file')).toHaveLength(2);
  });

  test('renews a token that no longer works, and sends the file again', async () => {
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ access_token: 'fresh' })));
    upload(files('a'), null);
    (await request(0)).answer(401, { code: 'invalid_token', title: '', detail: '' });
    await vi.waitFor(() => expect(FakeRequest.sent).toHaveLength(2), { timeout: 3_000 });
    expect(FakeRequest.sent[1]?.headers.get('Authorization')).toBe('Bearer fresh');
    FakeRequest.sent[1]?.answer(201, documentOf());
    await settle(['kept']);
  });

  test('sends nothing that was chosen in another workspace', async () => {
    upload(large('a', 'b', 'c', 'd'), null);
    session.switchTo({ access_token: 'of another workspace' });
    (await request(2)).answer(201, documentOf());
    await settle(['sending', 'sending', 'kept', 'cancelled']);
    expect(FakeRequest.sent).toHaveLength(3);
  });

  test('shows how many bytes are with the server', async () => {
    upload(files('a'), null);
    (await request(0)).upload.dispatchEvent(new ProgressEvent('progress', { loaded: 200, total: 300 }));
    expect(useUploads.getState().uploads[0]?.sent).toBe(2);
  });
});
