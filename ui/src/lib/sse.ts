/**
 * Server-sent events over fetch: with the Authorization header, resuming by Last-Event-ID. Delivers every event once and
 * in order across cuts; ends only when told to, or when the server says that trying again is useless.
 */
import { ApiProblem, problemOf } from './problem';
import { SseParser } from './sseParser';

export type StreamState = 'connecting' | 'open' | 'reconnecting' | 'closed';

/** The part of the session that a stream needs. */
export interface Credentials {
  readonly token: string | null;
  renew(stale: string | null): Promise<boolean>;
}

export interface StreamOptions {
  readonly url: string;
  readonly credentials: Credentials;
  readonly signal: AbortSignal;
  readonly onEvent: (event: { id: string; event: string; data: string }) => void;
  readonly onState?: (state: StreamState) => void;
  readonly lastEventId?: string;
  readonly fetch?: typeof fetch;
  readonly idleMs?: number;
  readonly firstWaitMs?: number;
}

const LONGEST_WAIT_MS = 15_000;
/** Three missed pings: the connection is dead even if no one closed it. */
const IDLE_MS = 45_000;

/** Reads until the signal aborts. Rejects with an ApiProblem when the server refuses for good. */
export async function readEvents(options: StreamOptions): Promise<void> {
  const reader = new EventReader(options);
  try {
    await reader.run();
  } finally {
    options.onState?.('closed');
  }
}

class EventReader {
  #lastEventId: string;
  #failures = 0;
  readonly #options: StreamOptions;

  constructor(options: StreamOptions) {
    this.#options = options;
    this.#lastEventId = options.lastEventId ?? '';
  }

  async run(): Promise<void> {
    const { signal, onState } = this.#options;
    onState?.('connecting');
    while (!signal.aborted) {
      await this.#connectOnce();
      if (signal.aborted) return;
      onState?.('reconnecting');
      await pause(this.#waitMs(), signal);
    }
  }

  async #connectOnce(): Promise<void> {
    const attempt = new Attempt(this.#options.signal, this.#options.idleMs ?? IDLE_MS);
    try {
      const response = await this.#open(attempt);
      this.#options.onState?.('open');
      await this.#pump(response, attempt);
    } catch (error) {
      if (error instanceof ApiProblem && isFinal(error)) throw error;
    } finally {
      attempt.close();
    }
  }

  async #open(attempt: Attempt): Promise<Response> {
    const { credentials } = this.#options;
    const used = credentials.token;
    const response = await this.#request(used, attempt);
    if (response.status !== 401) return usable(response);
    if (!(await credentials.renew(used))) throw await problemOf(response);
    return usable(await this.#request(credentials.token, attempt));
  }

  #request(token: string | null, attempt: Attempt): Promise<Response> {
    const headers: Record<string, string> = { Accept: 'text/event-stream' };
    if (token !== null) headers.Authorization = `Bearer ${token}`;
    if (this.#lastEventId !== '') headers['Last-Event-ID'] = this.#lastEventId;
    const send = this.#options.fetch ?? fetch;
    return send(this.#options.url, { headers, signal: attempt.signal, cache: 'no-store' });
  }

  async #pump(response: Response, attempt: Attempt): Promise<void> {
    const body = response.body?.getReader();
    if (!body) return;
    const parser = new SseParser();
    for (;;) {
      const { done, value } = await body.read();
      if (done) return;
      attempt.heard();
      for (const event of parser.push(value)) {
        this.#failures = 0;
        if (event.id !== '') this.#lastEventId = event.id;
        this.#options.onEvent(event);
      }
    }
  }

  /** Doubles from the first wait up to the longest, with jitter so that many tabs do not come back at once. */
  #waitMs(): number {
    const full = Math.min((this.#options.firstWaitMs ?? 250) * 2 ** this.#failures, LONGEST_WAIT_MS);
    this.#failures += 1;
    return full * (0.5 + Math.random() / 2);
  }
}

/** One connection: aborted from outside, or by its own silence. */
class Attempt {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal;
  readonly #idleMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(outer: AbortSignal, idleMs: number) {
    this.#outer = outer;
    this.#idleMs = idleMs;
    outer.addEventListener('abort', this.#abort, { once: true });
    this.heard();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  heard(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#abort, this.#idleMs);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#outer.removeEventListener('abort', this.#abort);
    this.#controller.abort();
  }

  readonly #abort = (): void => this.#controller.abort();
}

async function usable(response: Response): Promise<Response> {
  if (response.ok) return response;
  throw await problemOf(response);
}

/** Refusals that a second try cannot change. */
function isFinal(problem: ApiProblem): boolean {
  return problem.status >= 400 && problem.status < 500 && ![408, 425, 429].includes(problem.status);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
