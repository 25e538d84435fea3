/** The caller's own account. */
import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { answer, api, ifVersion } from '@/lib/http';
import { meQuery } from '@/lib/me';
import { cursorPages, pageQuery } from '@/lib/pages';

export const sessionsQuery = infiniteQueryOptions({
  queryKey: ['sessions'],
  queryFn: ({ pageParam }) => answer(api.GET('/api/v1/auth/sessions', { params: { query: pageQuery(pageParam) } })),
  ...cursorPages,
});

export function useRename() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ name, version }: { name: string; version: number }) =>
      answer(api.PATCH('/api/v1/auth/me', { body: { name }, headers: ifVersion(version) })),
    onSettled: () =>
      Promise.all([queries.invalidateQueries(meQuery), queries.invalidateQueries({ queryKey: ['members'] })]),
  });
}

export function useChangeMemory() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ usesMemory, version }: { usesMemory: boolean; version: number }) =>
      answer(api.PATCH('/api/v1/auth/me', { body: { uses_memory: usesMemory }, headers: ifVersion(version) })),
    onSettled: () => queries.invalidateQueries(meQuery),
  });
}

export function useChangePassword() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: { current_password: string; new_password: string; end_api_keys: boolean }) =>
      answer(api.POST('/api/v1/auth/password', { body: change })),
    onSuccess: () =>
      Promise.all([queries.invalidateQueries(sessionsQuery), queries.invalidateQueries({ queryKey: ['api-keys'] })]),
  });
}

export function useEndOtherSessions() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => answer(api.DELETE('/api/v1/auth/sessions')),
    onSuccess: () => queries.invalidateQueries(sessionsQuery),
  });
}

export function useEndSession() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      answer(api.DELETE('/api/v1/auth/sessions/{session_id}', { params: { path: { session_id: id } } })),
    onSuccess: () => queries.invalidateQueries(sessionsQuery),
  });
}
