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

export function listQuery({ kind, status, trash = false }: ListSearch) {
  return infiniteQueryOptions({
    queryKey: [DELIVERABLES, 'list', kind, status, trash],
    queryFn: ({ pageParam, signal }) =>
      answer(
        api.GET('/api/v1/deliverables', {
          params: {
            query: { ...pageQuery(pageParam), ...(kind && { kind }), ...(status && { status }), is_deleted: trash },
          },
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

/** Makes a new version of it: with another text or title, or, with neither, what this version says. */
export function useRevise(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: { title?: string; gml?: string }) =>
      answer(
        api.POST('/api/v1/deliverables/{deliverable_id}/versions', {
          params: { path: { deliverable_id: id } },
          body,
          headers: idempotent(),
        }),
      ),
    onSettled: () => refreshDeliverables(queries),
  });
}

/** What the check says of a piece of text that is being edited. */
export function checkedTextQuery(id: string, gml: string) {
  return queryOptions({
    queryKey: [DELIVERABLES, 'checked', id, gml],
    queryFn: ({ signal }) =>
      answer(
        api.POST('/api/v1/deliverables/{deliverable_id}/check', {
          params: { path: { deliverable_id: id } },
          body: { gml },
          signal,
        }),
      ),
    staleTime: Infinity,
  });
}

/** Moves it to the trash, or takes it out again. */
export function useTrash() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, isDeleted }: { id: string; isDeleted: boolean }) => {
      const params = { path: { deliverable_id: id } };
      if (isDeleted) await answer(api.DELETE('/api/v1/deliverables/{deliverable_id}', { params }));
      else await answer(api.POST('/api/v1/deliverables/{deliverable_id}/restore', { params }));
    },
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
