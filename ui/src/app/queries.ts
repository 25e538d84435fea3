/** The cache of what the server said. */
import { QueryClient } from '@tanstack/react-query';
import { ApiProblem } from '@/lib/problem';

const TRIES = 2;

/** A refusal stays a refusal; only a server that is away or at fault is asked again. */
export function shouldRetry(failures: number, error: unknown): boolean {
  const isRefusal = error instanceof ApiProblem && error.status >= 400 && error.status < 500;
  return !isRefusal && failures < TRIES;
}

export function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { retry: shouldRetry, staleTime: 5_000, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
