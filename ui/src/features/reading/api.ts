/** What was read from a document, where a passage stands in it, and how it became what it is. */
import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { DOCUMENTS } from '@/lib/documents';
import { answer, api, ifVersion } from '@/lib/http';
import { cursorPages, pageQuery } from '@/lib/pages';
import type { Document } from '@/lib/wire';
import type { Span } from './place';

const BLOCKS = 500;
const UNREAD_MS = 2_000;

/** A reading belongs to the bytes: it stays good until another version is asked for. */
const forVersion = (id: string, version: number) => [DOCUMENTS, 'reading', id, version] as const;

/** A text that is not there yet is looked for until the document has settled, and once more then. */
const untilRead = (isFinal: boolean) => ({
  refetchInterval: ({ state }: { state: { error: unknown } }) => (!isFinal && state.error !== null ? UNREAD_MS : false),
});

/** What a document is, and what is in it; there is none while it is unread. */
export function cardQuery(id: string, version: number) {
  return queryOptions({
    queryKey: [...forVersion(id, version), 'card'],
    queryFn: () => answer(api.GET('/api/v1/documents/{document_id}/card', { params: { path: { document_id: id } } })),
    staleTime: 60_000,
    retry: false,
  });
}

/** The pages and what is known of the whole; no text. */
export function outlineQuery(id: string, version: number, isFinal: boolean) {
  return queryOptions({
    ...untilRead(isFinal),
    queryKey: [...forVersion(id, version), 'outline', isFinal],
    placeholderData: keepPreviousData,
    queryFn: () =>
      answer(
        api.GET('/api/v1/documents/{document_id}/reading', {
          params: { path: { document_id: id }, query: { version, limit: 1 } },
        }),
      ),
    staleTime: 60_000,
  });
}

/** The text in stretches of blocks, in both directions from the one that holds the block `around`. */
export function blocksQuery(id: string, version: number, around: number) {
  const first = around - (around % BLOCKS);
  return infiniteQueryOptions({
    queryKey: [...forVersion(id, version), 'blocks', first],
    queryFn: ({ pageParam }) =>
      answer(
        api.GET('/api/v1/documents/{document_id}/reading', {
          params: { path: { document_id: id }, query: { version, from_block: pageParam, limit: BLOCKS } },
        }),
      ),
    initialPageParam: first,
    getNextPageParam: (last) => last.next_block,
    getPreviousPageParam: (_first, _pages, from) => (from === 0 ? null : from - BLOCKS),
    staleTime: 60_000,
  });
}

export function spanQuery(id: string, version: number, span: Span | null) {
  return queryOptions({
    queryKey: [...forVersion(id, version), 'span', span],
    queryFn: () =>
      answer(
        api.GET('/api/v1/documents/{document_id}/spans', {
          params: { path: { document_id: id }, query: { version, start: span?.start ?? 0, end: span?.end ?? 0 } },
        }),
      ),
    enabled: span !== null,
    staleTime: 60_000,
  });
}

export function versionsQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: [DOCUMENTS, 'versions', id],
    queryFn: ({ pageParam }) =>
      answer(
        api.GET('/api/v1/documents/{document_id}/versions', {
          params: { path: { document_id: id }, query: pageQuery(pageParam) },
        }),
      ),
    ...cursorPages,
  });
}

export function diffQuery(id: string, from: number, to: number, isFinal: boolean) {
  return queryOptions({
    ...untilRead(isFinal),
    queryKey: [DOCUMENTS, 'diff', id, from, to, isFinal],
    queryFn: () =>
      answer(
        api.GET('/api/v1/documents/{document_id}/diff', { params: { path: { document_id: id }, query: { from, to } } }),
      ),
    staleTime: 60_000,
  });
}

export function useRestore() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ document, version }: { document: Document; version: number }) =>
      answer(
        api.POST('/api/v1/documents/{document_id}/restore', {
          params: { path: { document_id: document.id } },
          body: { version },
          headers: ifVersion(document.version),
        }),
      ),
    onSettled: () => queries.invalidateQueries({ queryKey: [DOCUMENTS] }),
  });
}

export function useRetry() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      answer(api.POST('/api/v1/documents/{document_id}/retry', { params: { path: { document_id: id } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: [DOCUMENTS] }),
  });
}

export function contentPath(id: string, version: number): string {
  return `/api/v1/documents/${id}/content?version=${version}`;
}

export function pagePath(id: string, version: number, page: number, scale: number): string {
  return `/api/v1/documents/${id}/pages/${page}.png?version=${version}&scale=${scale}`;
}
