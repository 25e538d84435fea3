/** The one way to the server: adds the token, renews it once on a 401, and turns every refusal into an ApiProblem. */
import createClient from 'openapi-fetch';
import type { paths } from '@/generated/api';
import { problemOf, unreachable } from './problem';
import { reachability } from './reachability';
import { TabSession } from './session';
import type { Writable } from './wire';

const TIMEOUT_MS = 30_000;
/** Paths whose 401 speaks of the credentials just given, not of the session. */
const OPEN_PATHS = ['/api/v1/auth/login', '/api/v1/auth/register', '/api/v1/auth/refresh', '/api/v1/installation'];

/** A fetch that carries the session. It rejects with an ApiProblem (or the caller's own abort), and resolves with good answers only. */
export function sessionFetch(session: TabSession, send: typeof fetch) {
  return async (request: Request): Promise<Response> => {
    const again = request.clone();
    const used = session.token;
    const response = await deliver(request, used, send);
    if (response.ok) return response;
    const isOpen = OPEN_PATHS.includes(new URL(request.url).pathname);
    if (response.status !== 401 || isOpen || !(await session.renew(used))) throw await problemOf(response);
    const second = await deliver(again, session.token, send);
    if (second.ok) return second;
    throw await problemOf(second);
  };
}

async function deliver(request: Request, token: string | null, send: typeof fetch): Promise<Response> {
  if (token !== null) request.headers.set('Authorization', `Bearer ${token}`);
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), TIMEOUT_MS);
  try {
    const response = await send(request, { signal: AbortSignal.any([request.signal, late.signal]) });
    reachability.report(response.status !== 502 && response.status !== 504);
    return response;
  } catch {
    // Who changed their mind has not lost the server.
    if (request.signal.aborted) throw request.signal.reason;
    reachability.report(false);
    throw unreachable();
  } finally {
    // Only the answer's beginning is waited for: a large file may take its time.
    clearTimeout(timer);
  }
}

const origin = globalThis.location?.origin ?? 'http://localhost';
// Looked up at each call, so that a test may stand in for the network.
const network: typeof fetch = (input, init) => globalThis.fetch(input, init);
const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('intelli.session');

export const session = new TabSession({ fetch: network, baseUrl: origin, channel });
export const authorised = sessionFetch(session, network);
// openapi-fetch mistakes a readonly list for an object, so the client sees the paths as writable.
export const api = createClient<Writable<paths>>({ baseUrl: origin, fetch: authorised });

/** The data of an answer; refusals have already been thrown. */
export async function answer<Data>(call: Promise<{ data?: Data }>): Promise<Data> {
  return (await call).data as Data;
}

/** A header that makes a repeated creating POST answer with the first result. */
export function idempotent(): { 'Idempotency-Key': string } {
  // crypto.randomUUID is missing on plain http; getRandomValues is everywhere.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return { 'Idempotency-Key': Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('') };
}

/** A header that lets a change through only if nobody changed the thing since this version. */
export function ifVersion(version: number): { 'If-Match': string } {
  return { 'If-Match': `"${version}"` };
}
