/** Steering a run. */
import { queryOptions, useMutation } from '@tanstack/react-query';
import { answer, api } from '@/lib/http';

const LOOK_AGAIN_MS = 10_000;

/** What others' runs want to change in conversations that they share, and has not been decided. */
export function pendingChangesQuery() {
  return queryOptions({
    queryKey: ['interactions', 'pending'],
    queryFn: ({ signal }) =>
      answer(
        api.GET('/api/v1/interactions', { params: { query: { confirmation_status: 'pending', limit: 200 } }, signal }),
      ),
    refetchInterval: LOOK_AGAIN_MS,
  });
}

/** Decides on a change that a run wants to make. */
export function useDecide() {
  return useMutation({
    mutationFn: ({ id, reason }: { readonly id: string; readonly reason: string | null }) => {
      const path = { interaction_id: id };
      if (reason === null)
        return answer(api.POST('/api/v1/interactions/{interaction_id}/approve', { params: { path } }));
      return answer(
        api.POST('/api/v1/interactions/{interaction_id}/reject', {
          params: { path },
          body: reason === '' ? {} : { reason },
        }),
      );
    },
  });
}

export function useCancelRun() {
  return useMutation({
    mutationFn: (id: string) => answer(api.POST('/api/v1/runs/{run_id}/cancel', { params: { path: { run_id: id } } })),
  });
}
