import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TabSession } from './session';

const MARK = 'intelli.refreshing';

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  localStorage.clear();
});

/** A page whose refreshes are answered by `reply`; tells when each was sent, and how. */
function pageOf(reply: () => Promise<Response>) {
  const sent: { at: number; keepalive: boolean | undefined; mark: string | null }[] = [];
  const send: typeof fetch = (_input, init) => {
    sent.push({ at: Date.now(), keepalive: init?.keepalive, mark: localStorage.getItem(MARK) });
    return reply();
  };
  return { sent, session: new TabSession({ fetch: send, baseUrl: 'http://test' }) };
}

const tokens = () => Promise.resolve(Response.json({ access_token: 't1' }));

test('a refresh outlives its page, and is marked until it is answered', async () => {
  const { sent, session } = pageOf(tokens);
  const done = session.ensure();
  await vi.advanceTimersByTimeAsync(500);
  expect(await done).toBe(true);
  expect(sent).toEqual([{ at: expect.any(Number), keepalive: true, mark: String(sent[0]?.at) }]);
  expect(localStorage.getItem(MARK)).toBeNull();
});

test('a page waits for the cookie of the page that left before it', async () => {
  const left = Date.now();
  localStorage.setItem(MARK, String(left));
  const { sent, session } = pageOf(tokens);
  const done = session.ensure();
  await vi.advanceTimersByTimeAsync(2_400);
  expect(sent).toEqual([]);
  await vi.advanceTimersByTimeAsync(600);
  expect(await done).toBe(true);
  expect(sent[0]?.at).toBe(left + 2_500);
});

test.each([
  ['old', -2_500],
  ['of a clock that went back', 60_000],
])('a mark that is %s holds nobody up', async (_, offset) => {
  localStorage.setItem(MARK, String(Date.now() + offset));
  const { sent, session } = pageOf(tokens);
  const done = session.ensure();
  await vi.advanceTimersByTimeAsync(500);
  expect(await done).toBe(true);
  expect(sent).toHaveLength(1);
});

test('a request that failed leaves its mark, as the server may have answered it', async () => {
  const { session } = pageOf(() => Promise.reject(new TypeError('Failed to fetch')));
  const done = expect(session.ensure()).rejects.toMatchObject({ code: 'unreachable' });
  await vi.advanceTimersByTimeAsync(500);
  await done;
  expect(localStorage.getItem(MARK)).not.toBeNull();
});

test('work begun in one workspace can tell that it is no longer the one behind the token', async () => {
  const { session } = pageOf(tokens);
  session.begin({ access_token: 't1' });
  const { epoch } = session;
  const renewed = session.renew('t1');
  await vi.advanceTimersByTimeAsync(500);
  expect(await renewed).toBe(true);
  expect(session.epoch).toBe(epoch);
  session.switchTo({ access_token: 't2' });
  expect(session.epoch).not.toBe(epoch);
});
