/** A server for tests: what each path answers, and the cache around what asks. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { vi } from 'vitest';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/** By “METHOD /path”, or by the path alone for GET; a function is called for each request. Anything else is not there. */
export function serve(answers: Readonly<Record<string, unknown>>): readonly Asked[] {
  const asked: Asked[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname, search } = new URL(request.url);
    const text = request.headers.get('Content-Type')?.includes('json') === true ? await request.text() : '';
    asked.push({ method: request.method, path: pathname + search, body: text === '' ? null : JSON.parse(text) });
    const known =
      answers[`${request.method} ${pathname}`] ?? (request.method === 'GET' ? answers[pathname] : undefined);
    if (known === undefined)
      return Response.json({ code: 'not_found', title: 'Not found', detail: 'It is not there.' }, { status: 404 });
    const told: unknown = typeof known === 'function' ? known() : known;
    if (told instanceof Response) return told;
    return told === null ? new Response(null, { status: 204 }) : Response.json(told);
  });
  return asked;
}

/** A refusal, as the server words it. */
export function refusal(status: number, code: string, detail: string): Response {
  return Response.json({ title: 'Refused', status, code, detail, errors: [] }, { status });
}

export function Queries({ children }: { children: ReactNode }) {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false }, mutations: { retry: false } } });
  return <QueryClientProvider client={queries}>{children}</QueryClientProvider>;
}
