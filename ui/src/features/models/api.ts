/** The models of the workspace, where they are served, and what is found on this machine. */
import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { answer, api, idempotent } from '@/lib/http';
import type { ChangeModel, FoundServer, Model, Models, NewEndpoint, NewModel } from '@/lib/modelWire';
import { isTesting } from './describe';

const WHILE_TESTING_MS = 1_000;

/** Asked again every second while a test goes on. */
export const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: () => answer(api.GET('/api/v1/models')),
  refetchInterval: ({ state }) => (isAnyTesting(state.data) ? WHILE_TESTING_MS : false),
});

export const providersQuery = queryOptions({
  queryKey: ['model-providers'],
  queryFn: () => answer(api.GET('/api/v1/models/providers')),
  staleTime: Infinity,
});

/** Servers come and go, so each visit looks again. */
export const foundQuery = queryOptions({
  queryKey: ['model-servers'],
  queryFn: () => answer(api.GET('/api/v1/models/found')),
  refetchOnWindowFocus: false,
});

export function offeredQuery(endpointId: string) {
  return queryOptions({
    queryKey: ['models-offered', endpointId],
    queryFn: () =>
      answer(api.GET('/api/v1/models/endpoints/{endpoint_id}/offered', { params: inEndpoint(endpointId) })),
    refetchOnWindowFocus: false,
  });
}

/** The model that thinks: null without one, undefined until it is known. */
export function useThinkingModel() {
  return useQuery(modelsQuery).data?.thinking;
}

export function useConnect() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: NewEndpoint) => connect(body),
    onSuccess: () => refresh(queries),
  });
}

/** Gives an endpoint another key; null removes the one that is kept. */
export function useChangeKey() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, version, key }: { id: string; version: number; key: string | null }) =>
      answer(
        api.PATCH('/api/v1/models/endpoints/{endpoint_id}', {
          params: inEndpoint(id),
          body: { api_key: key, expected_version: version },
        }),
      ),
    onSettled: () => refresh(queries),
  });
}

export function useRemoveEndpoint() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      answer(api.DELETE('/api/v1/models/endpoints/{endpoint_id}', { params: inEndpoint(id) })),
    onSuccess: () => refresh(queries),
  });
}

export function useAddModel() {
  const queries = useQueryClient();
  return useMutation({ mutationFn: add, onSuccess: () => refresh(queries) });
}

export function useChangeModel() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: ChangeModel & { id: string }) => change(id, body),
    onSettled: () => refresh(queries),
  });
}

export function useRemoveModel() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => answer(api.DELETE('/api/v1/models/{model_id}', { params: ofModel(id) })),
    onSuccess: () => refresh(queries),
  });
}

export function useTestModel() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => answer(api.POST('/api/v1/models/{model_id}/test', { params: ofModel(id) })),
    onSettled: () => refresh(queries),
  });
}

/** Lets a model of a found server think: whatever is connected or added already is taken as it is. */
export function useTakeFound() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ server, name }: { server: FoundServer; name: string }) => {
      const known = knownModel(queries.getQueryData(modelsQuery.queryKey), server, name);
      if (known) return change(known.id, { role: 'thinking', expected_version: known.version });
      const { provider, base_url, endpoint_id } = server;
      return add({ endpoint_id: endpoint_id ?? (await connect({ provider, base_url })).id, name, role: 'thinking' });
    },
    // A server that was connected before its model was refused is there all the same.
    onSettled: () => Promise.all([refresh(queries), queries.invalidateQueries(foundQuery)]),
  });
}

/** The model of a found server that the workspace has already. */
export function knownModel(models: Models | undefined, server: FoundServer, name: string): Model | undefined {
  const endpoint = models?.endpoints.find(({ id }) => id === server.endpoint_id);
  return endpoint?.models.find((model) => model.name === name);
}

function connect(body: NewEndpoint) {
  return answer(api.POST('/api/v1/models/endpoints', { body, headers: idempotent() }));
}

function add(body: NewModel) {
  return answer(api.POST('/api/v1/models', { body, headers: idempotent() }));
}

function change(id: string, body: ChangeModel) {
  return answer(api.PATCH('/api/v1/models/{model_id}', { params: ofModel(id), body }));
}

function isAnyTesting(models: Models | undefined): boolean {
  return models?.endpoints.some((endpoint) => endpoint.models.some(({ test }) => isTesting(test))) ?? false;
}

function refresh(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries(modelsQuery);
}

const inEndpoint = (endpoint_id: string) => ({ path: { endpoint_id } });
const ofModel = (model_id: string) => ({ path: { model_id } });
