import { useQuery, useQueryClient } from '@tanstack/react-query';
import { pendingChangesQuery, useDecide } from '../api';
import { ApprovalCard } from './ApprovalCard';

/** What a colleague's run wants to change, for whoever may decide on it in a shared conversation. */
export function SharedApprovals({ runId, mayDecide }: { runId: string; mayDecide: boolean }) {
  const queries = useQueryClient();
  const { mutateAsync } = useDecide();
  const pending = useQuery(pendingChangesQuery()).data?.items.filter(({ run_id }) => run_id === runId) ?? [];
  async function decide(id: string, reason: string | null) {
    await mutateAsync({ id, reason });
    await queries.invalidateQueries({ queryKey: pendingChangesQuery().queryKey });
  }
  return pending.map(({ id, tool_name: tool, proposal, conflicts }) => (
    <ApprovalCard
      key={id}
      approval={{
        id,
        tool,
        summary: proposal?.summary ?? '',
        diff: proposal?.diff ?? null,
        conflicts,
        decision: 'pending',
        reason: null,
      }}
      onDecide={mayDecide ? (reason) => decide(id, reason) : undefined}
    />
  ));
}
