/** Deliverables as the server knows them; what is being made is looked at again until it is. */
import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { type Deliverable, type Edition, type Export, type FormatName, isOver, type Kind } from '@/lib/deliverableWire';
import { answer, api, idempotent } from '@/lib/http';
import { cursorPages, pageQuery } from '@/lib/pages';
import type { ListSearch } from './place';

const DELIVERABLES = 'deliverables';
const MAKING_MS = 1_000;
const LOOK_AGAIN_MS = 30_000;
const MOST_IN_CONVERSATION = 100;
/** An address for looking at a site lasts a quarter of an hour. */
const PREVIEW_MS = 10 * 60_000;

export function listQuery({ kind, status }: ListSearch) {
  return infiniteQueryOptions({
    queryKey: [DELIVERABLES, 'list', kind, status],
    queryFn: ({ pageParam, signal }) =>
      answer(
        api.GET('/api/v1/deliverables', {
          params: { query: { ...pageQuery(pageParam), ...(kind && { kind }), ...(status && { status }) } },
          signal,
        }),
      ),
    ...cursorPages,
    refetchInterval: ({ state }) => pace(state.data?.pages.flatMap(({ items }) => items) ?? []),
  });
}

/** All that was made in a conversation, newest first. */
export function ofConversationQuery(id: string) {
  return queryOptions({
    queryKey: [DELIVERABLES, 'conversation', id],
    queryFn: async ({ signal }) =>
      (
        await answer(
          api.GET('/api/v1/deliverables', {
            params: { query: { conversation_id: id, limit: MOST_IN_CONVERSATION } },
            signal,
          }),
        )
      ).items as readonly Deliverable[],
    refetchInterval: ({ state }) => pace(state.data ?? []),
  });
}

export function deliverableQuery(id: string) {
  return queryOptions({
    queryKey: [DELIVERABLES, 'one', id],
    queryFn: ({ signal }) =>
      answer(api.GET('/api/v1/deliverables/{deliverable_id}', { params: { path: { deliverable_id: id } }, signal })),
    refetchInterval: ({ state }) => (state.data && !isOver(state.data) ? MAKING_MS : false),
  });
}

/** What it says. A version never changes, only the standing of its citations does. */
export function contentQuery(id: string) {
  return queryOptions({
    queryKey: [DELIVERABLES, 'content', id],
    queryFn: ({ signal }) =>
      answer(
        api.GET('/api/v1/deliverables/{deliverable_id}/content', { params: { path: { deliverable_id: id } }, signal }),
      ),
    staleTime: LOOK_AGAIN_MS,
  });
}

export function versionsQuery(id: string) {
  return queryOptions({
    queryKey: [DELIVERABLES, 'versions', id],
    queryFn: ({ signal }) =>
      answer(
        api.GET('/api/v1/deliverables/{deliverable_id}/versions', { params: { path: { deliverable_id: id } }, signal }),
      ),
  });
}

export function comparisonQuery(id: string, than: string) {
  return queryOptions({
    queryKey: [DELIVERABLES, 'comparison', id, than],
    queryFn: ({ signal }) =>
      answer(
        api.GET('/api/v1/deliverables/{deliverable_id}/compare', {
          params: { path: { deliverable_id: than }, query: { with: id } },
          signal,
        }),
      ),
    staleTime: Infinity,
  });
}

export function exportsQuery(id: string) {
  return queryOptions({
    queryKey: exportsKey(id),
    queryFn: ({ signal }) =>
      answer(
        api.GET('/api/v1/deliverables/{deliverable_id}/exports', { params: { path: { deliverable_id: id } }, signal }),
      ),
    refetchInterval: ({ state }) => (state.data?.some((one) => !isOver(one)) ? MAKING_MS : false),
  });
}

function exportsKey(id: string) {
  return [DELIVERABLES, 'exports', id] as const;
}

/** Where its pages can be looked at for a while. */
export function previewQuery(id: string) {
  return queryOptions({
    queryKey: [DELIVERABLES, 'preview', id],
    queryFn: ({ signal }) =>
      answer(
        api.GET('/api/v1/deliverables/{deliverable_id}/preview', { params: { path: { deliverable_id: id } }, signal }),
      ),
    staleTime: PREVIEW_MS,
    gcTime: 0,
  });
}

export function filePath(id: string, name: string): string {
  return `/api/v1/deliverables/${id}/files/${encodeURIComponent(name)}`;
}

export function bundlePath(of: 'messages' | 'deliverables', id: string): string {
  return `/api/v1/${of}/${id}/bundle`;
}

export function useCancel() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      answer(api.POST('/api/v1/deliverables/{deliverable_id}/cancel', { params: { path: { deliverable_id: id } } })),
    onSettled: () => refreshDeliverables(queries),
  });
}

export function useRetry() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      answer(api.POST('/api/v1/deliverables/{deliverable_id}/retry', { params: { path: { deliverable_id: id } } })),
    onSettled: () => refreshDeliverables(queries),
  });
}

/** Makes something of an answer that stands, without asking again. */
export function useMake() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ messageId, kind }: { messageId: string; kind: Kind }) =>
      answer(
        api.POST('/api/v1/messages/{message_id}/deliverables', {
          params: { path: { message_id: messageId } },
          body: { kind },
          headers: idempotent(),
        }),
      ),
    onSettled: () => refreshDeliverables(queries),
  });
}

/** Has it made in another form, and gives that once it is there. */
export function useExport(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ format, edition }: { format: FormatName; edition: Edition }) => {
      let made: Export = await answer(
        api.POST('/api/v1/deliverables/{deliverable_id}/exports', {
          params: { path: { deliverable_id: id } },
          body: { format, edition },
        }),
      );
      while (!isOver(made)) {
        await new Promise((resolve) => setTimeout(resolve, MAKING_MS));
        const known = await queries.fetchQuery(exportsQuery(id));
        made = known.find((one) => one.format === format && one.edition === edition) ?? made;
      }
      return made;
    },
    onSettled: () => queries.invalidateQueries({ queryKey: exportsKey(id) }),
  });
}

export async function refreshDeliverables(queries: QueryClient): Promise<void> {
  await queries.invalidateQueries({
    queryKey: [DELIVERABLES],
    predicate: ({ queryKey }) => queryKey[1] !== 'preview' && queryKey[1] !== 'content',
  });
}

function pace(items: readonly Deliverable[]): number {
  return items.every(isOver) ? LOOK_AGAIN_MS : MAKING_MS;
}
