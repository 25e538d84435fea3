/** What is remembered: asking for it as of a moment, correcting it, forgetting it. */
import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { answer, api } from '@/lib/http';
import { cursorPages, pageQuery } from '@/lib/pages';
import type { Moment } from './place';
import type { Declared } from './types';

const MEMORY = 'memory';
/** As many nodes as the picture shows fluidly. */
export const MOST_NODES = 5_000;
const FOUND = 20;
/** While messages wait, news are due any moment. */
const WAITING_MS = 1_200;

export const groupsQuery = queryOptions({
  queryKey: [MEMORY, 'groups'],
  queryFn: ({ signal }) => answer(api.GET('/api/v1/memory/groups', { signal })),
  refetchInterval: ({ state }) => (state.data?.some(({ queued }) => queued > 0) ? WAITING_MS : false),
});

export function groupQuery(group_id: string) {
  return queryOptions({
    queryKey: [MEMORY, 'group', group_id],
    queryFn: ({ signal }) =>
      answer(api.GET('/api/v1/memory/groups/{group_id}', { params: { path: { group_id } }, signal })),
    refetchInterval: ({ state }) => ((state.data?.queued ?? 0) > 0 ? WAITING_MS : false),
  });
}

/** `state` is anything that changes with the group's content: the picture is then asked for again. */
export function graphQuery(group_id: string, moment: Moment, state: string) {
  return queryOptions({
    queryKey: [MEMORY, 'graph', group_id, moment, state],
    queryFn: ({ signal }) =>
      answer(
        api.GET('/api/v1/memory/graph', { params: { query: { group_id, ...moment, limit: MOST_NODES } }, signal }),
      ),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
}

export function extentQuery(group_id: string, state: string) {
  return queryOptions({
    queryKey: [MEMORY, 'extent', group_id, state],
    queryFn: ({ signal }) =>
      answer(api.GET('/api/v1/memory/timeline/extent', { params: { query: { group_id } }, signal })),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
}

export function timelineQuery(group_id: string, state: string) {
  return infiniteQueryOptions({
    queryKey: [MEMORY, 'timeline', group_id, state],
    queryFn: ({ pageParam, signal }) =>
      answer(
        api.GET('/api/v1/memory/timeline', {
          params: { query: { group_id, newest_first: true, ...pageQuery(pageParam, 100) } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    ...cursorPages,
  });
}

/** When the nearest change before or after a moment is; null for none. */
export function changeQuery(group_id: string, beside: { readonly to: string } | { readonly from: string }) {
  return queryOptions({
    queryKey: [MEMORY, 'change', group_id, beside],
    queryFn: async ({ signal }) =>
      (
        await answer(
          api.GET('/api/v1/memory/timeline', {
            params: { query: { group_id, ...beside, newest_first: 'to' in beside, limit: 1 } },
            signal,
          }),
        )
      ).items[0]?.at ?? null,
    staleTime: 5_000,
  });
}

export function communitiesQuery(group_id: string, state: string) {
  return queryOptions({
    queryKey: [MEMORY, 'communities', group_id, state],
    queryFn: ({ signal }) =>
      answer(api.GET('/api/v1/memory/groups/{group_id}/communities', { params: { path: { group_id } }, signal })),
    placeholderData: keepPreviousData,
  });
}

export function recollectionsQuery(group_id: string, query: string, moment: Moment, include_ended: boolean) {
  return queryOptions({
    queryKey: [MEMORY, 'search', group_id, query, moment, include_ended],
    queryFn: ({ signal }) =>
      answer(
        api.POST('/api/v1/memory/search', {
          body: { group_ids: [group_id], query, ...moment, include_ended, limit: FOUND },
          signal,
        }),
      ),
    enabled: query !== '',
    placeholderData: keepPreviousData,
  });
}

export function nodeQuery(node_id: string) {
  return queryOptions({
    queryKey: [MEMORY, 'node', node_id],
    queryFn: ({ signal }) =>
      answer(api.GET('/api/v1/memory/nodes/{node_id}', { params: { path: { node_id } }, signal })),
  });
}

export function factQuery(fact_id: string) {
  return queryOptions({
    queryKey: [MEMORY, 'fact', fact_id],
    queryFn: ({ signal }) =>
      answer(api.GET('/api/v1/memory/facts/{fact_id}', { params: { path: { fact_id } }, signal })),
  });
}

export function episodeQuery(episode_id: string) {
  return queryOptions({
    queryKey: [MEMORY, 'episode', episode_id],
    queryFn: ({ signal }) =>
      answer(api.GET('/api/v1/memory/episodes/{episode_id}', { params: { path: { episode_id } }, signal })),
  });
}

/** Asks again for everything that is shown of memory. */
export function refreshMemory(queries: QueryClient): Promise<unknown> {
  return queries.invalidateQueries({ queryKey: [MEMORY] });
}

/** Anything that changes memory: afterwards, also after a refusal, what is shown is asked for again. */
function useChange<Input, Output>(mutationFn: (input: Input) => Promise<Output>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn, onSettled: () => refreshMemory(queries) });
}

export interface Saying {
  readonly group: string;
  readonly name: string;
  readonly content: string;
  readonly role_type: 'user' | 'assistant' | 'system';
  readonly role: string;
  readonly source_description: string;
  /** Left out, it is said now. */
  readonly timestamp?: string;
}

export function useAddMessage() {
  return useChange(({ group, ...message }: Saying) =>
    answer(
      api.POST('/api/v1/memory/messages', {
        body: { group_id: group, messages: [message], update_communities: false },
      }),
    ),
  );
}

export function useRetryMessages() {
  return useChange((group_id: string) =>
    answer(api.POST('/api/v1/memory/groups/{group_id}/retry', { params: { path: { group_id } } })),
  );
}

export function useDeclareTypes(group_id: string) {
  return useChange((body: Declared) =>
    answer(api.PUT('/api/v1/memory/groups/{group_id}/schema', { params: { path: { group_id } }, body })),
  );
}

export function useFindCommunities() {
  return useChange((group_id: string) =>
    answer(api.POST('/api/v1/memory/groups/{group_id}/communities', { params: { path: { group_id } } })),
  );
}

export interface Correction {
  readonly statement?: string;
  readonly valid_at?: string | null;
  readonly invalid_at?: string | null;
  readonly reason: string;
}

export function useCorrectFact(fact_id: string) {
  return useChange((body: Correction) =>
    answer(api.PATCH('/api/v1/memory/facts/{fact_id}', { params: { path: { fact_id } }, body })),
  );
}

export function useEndFact(fact_id: string) {
  return useChange((body: { at: string | null; reason: string }) =>
    answer(api.POST('/api/v1/memory/facts/{fact_id}/invalidate', { params: { path: { fact_id } }, body })),
  );
}

export function useMergeNodes() {
  return useChange((body: { keep: string; merge: string; reason: string }) =>
    answer(api.POST('/api/v1/memory/nodes/merge', { body })),
  );
}

export function useSplitNode(node_id: string) {
  return useChange((body: { alias: string; reason: string }) =>
    answer(api.POST('/api/v1/memory/nodes/{node_id}/split', { params: { path: { node_id } }, body })),
  );
}

/** How much of something is to be forgotten. */
export interface Forgetting {
  readonly kind: 'episode' | 'fact' | 'node' | 'group';
  readonly id: string;
  /** A node's episodes too. */
  readonly withEpisodes: boolean;
}

/** What would be gone, told by the same way that would take it. */
export function lossQuery(wanted: Forgetting) {
  return queryOptions({
    queryKey: [MEMORY, 'loss', wanted],
    queryFn: () => forget(wanted, true),
    staleTime: 0,
    gcTime: 0,
  });
}

export function useForget() {
  return useChange((wanted: Forgetting) => forget(wanted, false));
}

function forget({ kind, id, withEpisodes }: Forgetting, dry_run: boolean) {
  const query = { dry_run };
  switch (kind) {
    case 'episode':
      return answer(
        api.DELETE('/api/v1/memory/episodes/{episode_id}', { params: { path: { episode_id: id }, query } }),
      );
    case 'fact':
      return answer(api.DELETE('/api/v1/memory/facts/{fact_id}', { params: { path: { fact_id: id }, query } }));
    case 'node':
      return answer(
        api.DELETE('/api/v1/memory/nodes/{node_id}', {
          params: { path: { node_id: id }, query: { ...query, with_episodes: withEpisodes } },
        }),
      );
    default:
      return answer(api.DELETE('/api/v1/memory/groups/{group_id}', { params: { path: { group_id: id }, query } }));
  }
}
