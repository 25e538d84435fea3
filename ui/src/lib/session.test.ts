import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TabSession } from './session';

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  localStorage.clear();
});

/** A page whose refreshes are answered by `reply`; tells how each was sent. */
function pageOf(reply: () => Promise<Response>) {
  const sent: { keepalive: boolean | undefined }[] = [];
  const send: typeof fetch = (_input, init) => {
    sent.push({ keepalive: init?.keepalive });
    return reply();
  };
  return { sent, session: new TabSession({ fetch: send, baseUrl: 'http://test' }) };
}

const tokens = () => Promise.resolve(Response.json({ access_token: 't1' }));

test('a refresh outlives its page', async () => {
  const { sent, session } = pageOf(tokens);
  const done = session.ensure();
  await vi.advanceTimersByTimeAsync(500);
  expect(await done).toBe(true);
  expect(sent).toEqual([{ keepalive: true }]);
});

test('a refresh whose answer was lost is asked for again', async () => {
  const answers = [() => Promise.reject(new TypeError('Failed to fetch')), tokens];
  const { sent, session } = pageOf(() => (answers.shift() ?? tokens)());
  const lost = expect(session.ensure()).rejects.toMatchObject({ code: 'unreachable' });
  await vi.advanceTimersByTimeAsync(500);
  await lost;
  const done = session.ensure();
  await vi.advanceTimersByTimeAsync(500);
  expect(await done).toBe(true);
  expect(sent).toHaveLength(2);
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
