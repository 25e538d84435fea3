// @vitest-environment node
import { describe, expect, test } from 'vitest';
import { answer, sessionFetch } from './http';
import { ApiProblem, messageOf } from './problem';
import { TabSession } from './session';

/** A server whose access tokens are counted: `t1` is stale as soon as `t2` was handed out. */
function serverOf(options: { refreshStatus?: number } = {}) {
  const calls: string[] = [];
  let current = 0;
  const fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = input instanceof Request ? input : new Request(input, init);
    const path = new URL(request.url).pathname;
    calls.push(path);
    if (path === '/api/v1/auth/refresh') {
      await Promise.resolve();
      if (options.refreshStatus !== undefined) return problem(options.refreshStatus);
      current += 1;
      return Response.json({ access_token: `t${current}`, refresh_token: null, token_type: 'bearer', expires_in: 900 });
    }
    if (request.headers.get('Authorization') !== `Bearer t${current}`) return problem(401);
    return Response.json({ path, body: await request.text() });
  };
  return { calls, fetch: fetch as typeof globalThis.fetch };
}

function problem(status: number): Response {
  return Response.json({ code: 'refused', title: 'Refused', detail: 'Not now.', errors: [] }, { status });
}

function tabOf(server: ReturnType<typeof serverOf>) {
  const session = new TabSession({ fetch: server.fetch, baseUrl: 'http://test' });
  return { session, send: sessionFetch(session, server.fetch) };
}

const refreshes = (calls: readonly string[]) => calls.filter((path) => path.endsWith('/refresh')).length;

describe('the session of a tab', () => {
  test('asks the cookie for a token when it has none', async () => {
    const { session } = tabOf(serverOf());
    expect(await session.ensure()).toBe(true);
    expect(session.token).toBe('t1');
  });

  test('renews once for any number of calls that meet a 401 together', async () => {
    const server = serverOf();
    const { session, send } = tabOf(server);
    session.begin({ access_token: 'stale' });
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => send(new Request(`http://test/api/v1/thing${n}`))),
    );
    expect(answers.every((response) => response.ok)).toBe(true);
    expect(refreshes(server.calls)).toBe(1);
  });

  test('does not renew again for a late 401 of an old token', async () => {
    const server = serverOf();
    const { session } = tabOf(server);
    session.begin({ access_token: 'stale' });
    await session.renew('stale');
    await session.renew('stale');
    expect(refreshes(server.calls)).toBe(1);
  });

  test('sends the body again after renewing', async () => {
    const { session, send } = tabOf(serverOf());
    session.begin({ access_token: 'stale' });
    const response = await send(new Request('http://test/api/v1/thing', { method: 'POST', body: 'kept' }));
    expect(await response.json()).toEqual({ path: '/api/v1/thing', body: 'kept' });
  });

  test('ends when the cookie is refused, and says so', async () => {
    const { session, send } = tabOf(serverOf({ refreshStatus: 401 }));
    const news: string[] = [];
    session.subscribe((one) => news.push(one));
    session.begin({ access_token: 'stale' });
    await expect(send(new Request('http://test/api/v1/thing'))).rejects.toMatchObject({ status: 401 });
    expect([session.token, news]).toEqual([null, ['signed-out']]);
  });

  test('survives a server at fault: nobody is signed out by a 503', async () => {
    const { session, send } = tabOf(serverOf({ refreshStatus: 503 }));
    session.begin({ access_token: 'stale' });
    await expect(send(new Request('http://test/api/v1/thing'))).rejects.toMatchObject({ status: 503 });
    expect(session.token).toBe('stale');
  });

  test('a wrong password does not look for a session', async () => {
    const server = serverOf();
    const { send } = tabOf(server);
    await expect(send(new Request('http://test/api/v1/auth/login', { method: 'POST' }))).rejects.toMatchObject({
      status: 401,
    });
    expect(refreshes(server.calls)).toBe(0);
  });

  test('a server out of reach is one kind of problem', async () => {
    const away = (() => Promise.reject(new TypeError('Failed to fetch'))) as typeof globalThis.fetch;
    const send = sessionFetch(new TabSession({ fetch: away, baseUrl: 'http://test' }), away);
    await expect(send(new Request('http://test/api/v1/thing'))).rejects.toMatchObject({
      code: 'unreachable',
      status: 0,
    });
  });

  test('who changes their mind has not lost the server', async () => {
    const stop = new AbortController();
    const slow = ((_: Request, init?: RequestInit) =>
      new Promise((_resolve, reject) =>
        init?.signal?.addEventListener('abort', () => reject(new Error('aborted'))),
      )) as typeof globalThis.fetch;
    const send = sessionFetch(new TabSession({ fetch: slow, baseUrl: 'http://test' }), slow);
    const waiting = send(new Request('http://test/api/v1/thing', { signal: stop.signal }));
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('an answer is its data', async () => {
    expect(await answer(Promise.resolve({ data: 7 }))).toBe(7);
  });
});

describe('a problem', () => {
  test('names the time to wait when its own words do not', () => {
    const throttled = new ApiProblem({
      status: 429,
      code: 'throttled',
      title: 'Too many',
      detail: 'Too many attempts.',
      retryAfterS: 300,
    });
    expect(messageOf(throttled)).toBe('Too many attempts. You can try again in 5 minutes.');
  });
});
