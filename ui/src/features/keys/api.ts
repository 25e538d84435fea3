/** API keys of the caller. */
import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { answer, api, idempotent } from '@/lib/http';
import { cursorPages, pageQuery } from '@/lib/pages';
import type { CreateApiKey } from '@/lib/wire';

export const keysQuery = infiniteQueryOptions({
  queryKey: ['api-keys'],
  queryFn: ({ pageParam }) => answer(api.GET('/api/v1/api-keys', { params: { query: pageQuery(pageParam) } })),
  ...cursorPages,
});

export function useCreateKey() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: CreateApiKey) => answer(api.POST('/api/v1/api-keys', { body, headers: idempotent() })),
    onSuccess: () => queries.invalidateQueries(keysQuery),
  });
}

export function useRevokeKey() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => answer(api.DELETE('/api/v1/api-keys/{key_id}', { params: { path: { key_id: id } } })),
    onSuccess: () => queries.invalidateQueries(keysQuery),
  });
}
