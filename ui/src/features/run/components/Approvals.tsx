import { useDecide } from '../api';
import type { ApprovalView } from '../view';
import { ApprovalCard } from './ApprovalCard';

/** The changes that a run wants to make, each decided on by itself. */
export function Approvals({ approvals, mayDecide }: { approvals: readonly ApprovalView[]; mayDecide: boolean }) {
  const { mutateAsync } = useDecide();
  return approvals.map((approval) => (
    <ApprovalCard
      key={approval.id}
      approval={approval}
      onDecide={mayDecide ? (reason) => mutateAsync({ id: approval.id, reason }) : undefined}
    />
  ));
}
