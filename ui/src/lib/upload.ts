/**
 * Sends a form with a file and says how far it is. XMLHttpRequest, because fetch cannot tell the progress of a request.
 * Resolves with the answer, rejects with an ApiProblem, or with an AbortError when the signal aborts.
 */
import { session } from './http';
import { problemOf, unreachable } from './problem';
import { reachability } from './reachability';
import type { Credentials } from './sse';

export interface Sending {
  readonly url: string;
  readonly form: FormData;
  readonly signal: AbortSignal;
  readonly onProgress: (sent: number, total: number) => void;
  readonly headers?: Readonly<Record<string, string>>;
  readonly credentials?: Credentials;
}

export interface Answered<Body> {
  readonly status: number;
  readonly body: Body;
}

export async function send<Body>(sending: Sending): Promise<Answered<Body>> {
  const credentials = sending.credentials ?? session;
  const used = credentials.token;
  const first = await transfer(sending, used);
  const response =
    first.status === 401 && (await credentials.renew(used)) ? await transfer(sending, credentials.token) : first;
  if (response.ok) return { status: response.status, body: (await response.json()) as Body };
  throw await problemOf(response);
}

function transfer({ url, form, signal, onProgress, headers }: Sending, token: string | null): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    const settle = (end: () => void) => () => {
      signal.removeEventListener('abort', abort);
      end();
    };
    if (signal.aborted) return reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    request.open('POST', url);
    if (token !== null) request.setRequestHeader('Authorization', `Bearer ${token}`);
    for (const [name, value] of Object.entries(headers ?? {})) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded, total));
    request.addEventListener(
      'load',
      settle(() => resolve(responseOf(request))),
    );
    request.addEventListener(
      'abort',
      settle(() => reject(signal.reason as Error)),
    );
    request.addEventListener(
      'error',
      settle(() => {
        reachability.report(false);
        reject(unreachable());
      }),
    );
    request.send(form);
  });
}

function responseOf(request: XMLHttpRequest): Response {
  reachability.report(true);
  const retryAfter = request.getResponseHeader('Retry-After');
  return new Response(request.responseText, {
    status: request.status,
    ...(retryAfter !== null && { headers: { 'Retry-After': retryAfter } }),
  });
}
