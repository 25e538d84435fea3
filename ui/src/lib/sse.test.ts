// @vitest-environment node
import { describe, expect, test } from 'vitest';
import { ApiProblem } from './problem';
import { readEvents, type StreamState } from './sse';

interface Plan {
  readonly status?: number;
  readonly chunks?: readonly string[];
  /** Stays open without a word after its chunks, until aborted. */
  readonly silent?: boolean;
}

/** A server that follows a plan, one step a connection, and remembers what it was asked. */
function serverOf(plans: readonly Plan[]) {
  const asked: Headers[] = [];
  const fetch = async (_url: unknown, init?: RequestInit): Promise<Response> => {
    asked.push(new Headers(init?.headers));
    const plan = plans[asked.length - 1] ?? { silent: true };
    if (plan.status !== undefined) return Response.json({ code: 'no', detail: 'No.' }, { status: plan.status });
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of plan.chunks ?? []) controller.enqueue(new TextEncoder().encode(chunk));
        if (!plan.silent) controller.close();
        init?.signal?.addEventListener('abort', () => plan.silent && controller.error(new Error('aborted')));
      },
    });
    return new Response(body);
  };
  return { asked, fetch: fetch as typeof globalThis.fetch };
}

function follow(plans: readonly Plan[], until: number, renew: () => boolean = () => true) {
  const server = serverOf(plans);
  const stop = new AbortController();
  const seen: string[] = [];
  const states: StreamState[] = [];
  let token = 'old';
  const credentials = {
    get token() {
      return token;
    },
    renew: async () => {
      token = 'new';
      return renew();
    },
  };
  const done = readEvents({
    url: 'http://test/stream',
    credentials,
    signal: stop.signal,
    fetch: server.fetch,
    idleMs: 40,
    firstWaitMs: 1,
    onState: (state) => states.push(state),
    onEvent: ({ data }) => {
      seen.push(data);
      if (seen.length === until) stop.abort();
    },
  });
  return { done, seen, states, asked: server.asked, stop };
}

describe('an event stream', () => {
  test('resumes after a cut from the last event it saw', async () => {
    const stream = follow(
      [{ chunks: ['id: 1\ndata: a\n\n', 'id: 2\ndata: b\n\nid: 3\nda'] }, { chunks: ['id: 3\ndata: c\n\n'] }],
      3,
    );
    await stream.done;
    expect(stream.seen).toEqual(['a', 'b', 'c']);
    expect(stream.asked.map((headers) => headers.get('Last-Event-ID'))).toEqual([null, '2']);
    expect(stream.states).toEqual(['connecting', 'open', 'reconnecting', 'open', 'closed']);
  });

  test('renews the token on a 401 and goes on', async () => {
    const stream = follow([{ status: 401 }, { chunks: ['data: a\n\n'] }], 1);
    await stream.done;
    expect(stream.asked.map((headers) => headers.get('Authorization'))).toEqual(['Bearer old', 'Bearer new']);
  });

  test('ends when nobody is signed in any more', async () => {
    const stream = follow([{ status: 401 }], 1, () => false);
    await expect(stream.done).rejects.toBeInstanceOf(ApiProblem);
    expect(stream.states.at(-1)).toBe('closed');
  });

  test.each([403, 404])('does not try again after a %i', async (status) => {
    const stream = follow([{ status }], 1);
    await expect(stream.done).rejects.toMatchObject({ status });
    expect(stream.asked).toHaveLength(1);
  });

  test.each([500, 503, 429])('tries again after a %i', async (status) => {
    const stream = follow([{ status }, { status }, { chunks: ['data: a\n\n'] }], 1);
    await stream.done;
    expect(stream.seen).toEqual(['a']);
  });

  test('leaves a connection that has fallen silent', async () => {
    const stream = follow([{ chunks: ['id: 9\ndata: a\n\n'], silent: true }, { chunks: ['data: b\n\n'] }], 2);
    await stream.done;
    expect(stream.asked[1]?.get('Last-Event-ID')).toBe('9');
  });

  test('stops at once when told to', async () => {
    const stream = follow([{ silent: true }], 1);
    stream.stop.abort();
    await stream.done;
    expect(stream.seen).toEqual([]);
  });
});
