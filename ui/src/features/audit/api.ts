/** Reading, following, exporting and verifying the log. */
import { infiniteQueryOptions, keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { download } from '@/lib/download';
import { answer, api, session } from '@/lib/http';
import { cursorPages, pageQuery } from '@/lib/pages';
import { messageOf } from '@/lib/problem';
import { readEvents, type StreamState } from '@/lib/sse';
import type { AuditEntry, ExportFormat } from '@/lib/wire';
import { type AuditFilters, queryOf } from './filters';
import { reduce, type Tail } from './tail';

const RECENT = 7;

export function entriesQuery(filters: AuditFilters) {
  return infiniteQueryOptions({
    queryKey: ['audit', queryOf(filters)],
    queryFn: ({ pageParam }) =>
      answer(api.GET('/api/v1/audit', { params: { query: { ...queryOf(filters), ...pageQuery(pageParam) } } })),
    placeholderData: keepPreviousData,
    ...cursorPages,
  });
}

export const recentQuery = queryOptions({
  queryKey: ['audit', 'recent'],
  queryFn: () => answer(api.GET('/api/v1/audit', { params: { query: { limit: RECENT } } })),
});

export function useVerify() {
  return useMutation({ mutationFn: () => answer(api.GET('/api/v1/audit/verify')) });
}

/** Takes away what the filters let through. */
export async function exportLog(filters: AuditFilters, format: ExportFormat): Promise<void> {
  const query = new URLSearchParams({ format });
  for (const [name, value] of Object.entries(queryOf(filters))) query.set(name, String(value));
  await download(
    `/api/v1/audit/export?${query.toString()}`,
    `intelli-audit-${new Date().toISOString().slice(0, 10)}.${format}`,
  );
}

export interface Following {
  readonly tail: Tail;
  readonly state: StreamState;
  readonly refusal: string | null;
}

const STILL: Following = { tail: [], state: 'closed', refusal: null };

/** Follows the log while switched on. `after` is the newest entry already shown, so that none is missed between. */
export function useFollow(on: boolean, after: number | undefined): Following {
  const [following, setFollowing] = useState<Following>(STILL);
  const [start, setStart] = useState<number | undefined>();
  if (on && start === undefined && after !== undefined) setStart(after);
  if (!on && start !== undefined) setStart(undefined);

  useEffect(() => {
    if (start === undefined) return undefined;
    const stop = new AbortController();
    readEvents({
      url: '/api/v1/audit/stream',
      credentials: session,
      signal: stop.signal,
      lastEventId: String(start),
      onState: (state) => setFollowing((now) => ({ ...now, state })),
      onEvent: ({ event, data }) => {
        if (event === 'entry')
          setFollowing((now) => ({ ...now, tail: reduce(now.tail, JSON.parse(data) as AuditEntry) }));
      },
    }).catch((error: unknown) => setFollowing((now) => ({ ...now, refusal: messageOf(error) })));
    return () => {
      stop.abort();
      setFollowing(STILL);
    };
  }, [start]);

  return following;
}
