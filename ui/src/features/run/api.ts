/** Steering a run. */
import { useMutation } from '@tanstack/react-query';
import { answer, api } from '@/lib/http';

export function useCancelRun() {
  return useMutation({
    mutationFn: (id: string) => answer(api.POST('/api/v1/runs/{run_id}/cancel', { params: { path: { run_id: id } } })),
  });
}
