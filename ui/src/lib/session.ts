/**
 * The signed-in session of this tab. The access token lives in memory only; the refresh token lives in an httpOnly
 * cookie that all tabs share and every refresh rotates, so refreshes are serialised over tabs: an answer that comes late
 * must not put an older cookie in place of a newer one. A page that left before its answer came needs no care, since the
 * server gives the same cookie again to whoever shows the one before it within half a minute.
 */
import { withLock } from './lock';
import { problemOf, unreachable } from './problem';
import type { Tokens } from './wire';

const REFRESH_URL = '/api/v1/auth/refresh';
const TIMEOUT_MS = 20_000;

export type SessionNews = 'signed-out' | 'switched';
type Listener = (news: SessionNews) => void;

export interface SessionParts {
  readonly fetch: typeof fetch;
  readonly baseUrl: string;
  readonly channel?: BroadcastChannel | undefined;
}

export class TabSession {
  #token: string | null = null;
  #refreshing: Promise<boolean> | null = null;
  #isRefused = false;
  #epoch = 0;
  readonly #listeners = new Set<Listener>();
  readonly #parts: SessionParts;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    parts.channel?.addEventListener('message', (event: MessageEvent<SessionNews>) => {
      this.#token = null;
      this.#epoch += 1;
      this.#isRefused = event.data === 'signed-out';
      this.#tell(event.data);
    });
  }

  get token(): string | null {
    return this.#token;
  }

  /** Another number once someone else, or another workspace, is behind the token: what began before must not go on with it. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Takes over the tokens of a sign-in or registration. */
  begin(tokens: Pick<Tokens, 'access_token'>): void {
    this.#token = tokens.access_token;
    this.#isRefused = false;
  }

  /** Takes over the tokens of another workspace and tells the other tabs, whose cookie now speaks for it too. */
  switchTo(tokens: Pick<Tokens, 'access_token'>): void {
    this.begin(tokens);
    this.#epoch += 1;
    this.#parts.channel?.postMessage('switched' satisfies SessionNews);
  }

  /** Forgets the token here and in the other tabs. */
  end(): void {
    this.#token = null;
    this.#epoch += 1;
    this.#isRefused = true;
    this.#parts.channel?.postMessage('signed-out' satisfies SessionNews);
    this.#tell('signed-out');
  }

  /**
   * True when there is a token, asking the cookie for one first if need be; a cookie that was refused is not asked
   * again. Throws when the server is out of reach.
   */
  async ensure(): Promise<boolean> {
    if (this.#token !== null) return true;
    return this.#isRefused ? false : this.renew(null);
  }

  /** Replaces a token that no longer works. Callers that meet share one refresh; false means nobody is signed in. */
  async renew(stale: string | null): Promise<boolean> {
    if (this.#token !== stale && this.#token !== null) return true;
    this.#refreshing ??= withLock('refresh', () => this.#refresh()).finally(() => {
      this.#refreshing = null;
    });
    return this.#refreshing;
  }

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async #refresh(): Promise<boolean> {
    const response = await this.#askCookie();
    if (response.ok) {
      this.begin((await response.json()) as Tokens);
      return true;
    }
    // Only a refused credential ends the session: a fault of the server must not sign anyone out.
    if (response.status >= 500 || response.status === 429) throw await problemOf(response);
    const wasSignedIn = this.#token !== null;
    this.#token = null;
    this.#epoch += 1;
    this.#isRefused = true;
    if (wasSignedIn) this.#tell('signed-out');
    return false;
  }

  #askCookie(): Promise<Response> {
    return this.#parts
      .fetch(this.#parts.baseUrl + REFRESH_URL, {
        method: 'POST',
        credentials: 'same-origin',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ cookie_only: true }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
        // The new cookie must arrive even when the page is reloaded meanwhile.
        keepalive: true,
      })
      .catch(() => {
        throw unreachable();
      });
  }

  #tell(news: SessionNews): void {
    for (const listener of this.#listeners) listener(news);
  }
}
