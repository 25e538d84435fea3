import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { session } from '@/lib/http';
import { documentOf, folderOf } from './testing';
import { isRunning, reduce, shareOf, startable, type Upload } from './uploadList';
import { cancel, clearFinished, retry, upload, useUploads } from './uploads';

const uploadOf = (key: number, more: Partial<Upload> = {}): Upload => ({ key, file: new File(['x'.repeat(100)], `${key}.txt`), epoch: 0, place: {}, state: 'waiting', sent: 0, ...more });

describe('the list of uploads', () => {
  test('lets a few start at a time', () => {
    const list = [uploadOf(1, { state: 'sending' }), uploadOf(2, { state: 'kept' }), uploadOf(3), uploadOf(4), uploadOf(5)];
    expect(startable(list, 3).map(({ key }) => key)).toEqual([3, 4]);
    expect(startable(list, 1)).toEqual([]);
  });

  test('knows how far the whole is', () => {
    expect(shareOf([uploadOf(1, { state: 'kept' }), uploadOf(2, { state: 'sending', sent: 50 }), uploadOf(3, { state: 'failed' })])).toBe(0.75);
    expect(shareOf([])).toBe(1);
  });

  test('keeps what still runs when it is cleared', () => {
    const list = [uploadOf(1, { state: 'kept' }), uploadOf(2, { state: 'sending' })];
    expect(reduce(list, { type: 'cleared' }).map(({ key }) => key)).toEqual([2]);
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
const files = (...names: readonly string[]) => names.map((name) => ({ file: new File(['abc'], name), folders: [] as readonly string[] }));

describe('the queue', () => {
  beforeEach(() => {
    FakeRequest.sent = [];
    useUploads.setState({ uploads: [] });
    vi.stubGlobal('XMLHttpRequest', FakeRequest);
  });
  afterEach(() => {
    for (const { key } of useUploads.getState().uploads.filter(isRunning)) cancel(key);
    clearFinished();
    vi.unstubAllGlobals();
  });

  test('sends three at a time, and the next when one has arrived', async () => {
    upload(files('a', 'b', 'c', 'd'), null);
    expect(states()).toEqual(['sending', 'sending', 'sending', 'waiting']);
    FakeRequest.sent[0]?.answer(201, documentOf());
    await vi.waitFor(() => expect(states()).toEqual(['kept', 'sending', 'sending', 'sending']));
    expect(FakeRequest.sent).toHaveLength(4);
  });

  test('puts dropped folders below the one on show', () => {
    upload([{ file: new File(['x'], 'a.txt'), folders: ['2025', 'Q1'] }, ...files('b.txt')], folderOf('reports', null, { path: '/reports' }));
    const forms = FakeRequest.sent.map(({ form }) => form);
    expect(forms[0]?.get('folder_path')).toBe('/reports/2025/Q1');
    expect(forms[1]?.get('folder_id')).toBe('reports');
  });

  test('says in words why a file was refused, and tries again when asked', async () => {
    upload(files('a'), null);
    FakeRequest.sent[0]?.answer(402, { code: 'storage_exceeded', title: '', detail: 'The workspace is full. Delete something first.' });
    await vi.waitFor(() => expect(states()).toEqual(['failed']));
    const [failed] = useUploads.getState().uploads;
    expect(failed?.problem).toBe('The workspace is full. Delete something first.');
    retry(failed?.key ?? 0);
    expect(states()).toEqual(['sending']);
    FakeRequest.sent[1]?.answer(200, documentOf({ version: 2 }));
    await vi.waitFor(() => expect(useUploads.getState().uploads[0]?.isNewVersion).toBe(true));
  });

  test('goes on with the others when one is cancelled', async () => {
    upload(files('a', 'b', 'c', 'd'), null);
    cancel(useUploads.getState().uploads[1]?.key ?? 0);
    await vi.waitFor(() => expect(states()).toEqual(['sending', 'cancelled', 'sending', 'sending']));
  });

  test('renews a token that no longer works, and sends the file again', async () => {
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ access_token: 'fresh' })));
    upload(files('a'), null);
    FakeRequest.sent[0]?.answer(401, { code: 'invalid_token', title: '', detail: '' });
    await vi.waitFor(() => expect(FakeRequest.sent).toHaveLength(2), { timeout: 3_000 });
    expect(FakeRequest.sent[1]?.headers.get('Authorization')).toBe('Bearer fresh');
    FakeRequest.sent[1]?.answer(201, documentOf());
    await vi.waitFor(() => expect(states()).toEqual(['kept']));
  });

  test('sends nothing that was chosen in another workspace', async () => {
    upload(files('a', 'b', 'c', 'd'), null);
    session.switchTo({ access_token: 'of another workspace' });
    FakeRequest.sent[0]?.answer(201, documentOf());
    await vi.waitFor(() => expect(states()).toEqual(['kept', 'sending', 'sending', 'cancelled']));
    expect(FakeRequest.sent).toHaveLength(3);
  });

  test('shows how many bytes are with the server', () => {
    upload(files('a'), null);
    FakeRequest.sent[0]?.upload.dispatchEvent(new ProgressEvent('progress', { loaded: 2, total: 3 }));
    expect(useUploads.getState().uploads[0]?.sent).toBe(2);
  });
});
