import { FilePen } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from '@/components/Button';
import { Notice } from '@/components/Notice';
import { messageOf } from '@/lib/problem';
import type { ApprovalView } from '../view';
import { DiffText } from './DiffText';

interface ApprovalCardProps {
  approval: ApprovalView;
  /** A null reason approves; left out where the reader may not decide. */
  onDecide?: ((reason: string | null) => Promise<unknown>) | undefined;
}

const DECIDED = { approved: 'Approved', rejected: 'Rejected', cancelled: 'Stopped before it was decided' } as const;

/** A change that a run wants to make: what it would do, line by line, and the decision on it. */
export function ApprovalCard({ approval, onDecide }: ApprovalCardProps) {
  const { summary, diff, conflicts, decision, reason } = approval;
  const title = useId();
  return (
    <section
      aria-labelledby={title}
      className="my-3 grid grid-cols-[minmax(0,1fr)] gap-2.5 rounded-lg border border-line bg-accent-soft p-3.5"
    >
      <h3 id={title} className="flex items-start gap-2 text-base font-medium [overflow-wrap:anywhere]">
        <FilePen aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
        {summary}
      </h3>
      {diff !== null && decision === 'pending' && <DiffText diff={diff} />}
      {diff !== null && decision !== 'pending' && (
        <details>
          <summary className="cursor-pointer text-sm text-ink-2">What it was about</summary>
          <DiffText diff={diff} />
        </details>
      )}
      {decision === 'pending' && conflicts.length > 0 && (
        <Notice tone="warn" title="Something else is about to change here">
          {conflicts.join(' ')} What is stale by then overwrites nothing.
        </Notice>
      )}
      {decision === 'pending' && onDecide && <Deciding onDecide={onDecide} />}
      {decision !== 'pending' && (
        <p role="status" className="text-sm text-ink-2">
          {DECIDED[decision]}
          {reason !== null && `: ${reason}`}
        </p>
      )}
    </section>
  );
}

function Deciding({ onDecide }: { onDecide: (reason: string | null) => Promise<unknown> }) {
  const [isRejecting, setRejecting] = useState(false);
  const [reason, setReason] = useState('');
  const [busy, setBusy] = useState<'approve' | 'reject' | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const id = useId();
  async function decide(why: string | null) {
    if (busy !== null) return;
    setBusy(why === null ? 'approve' : 'reject');
    try {
      await onDecide(why);
    } catch (error) {
      setRefusal(messageOf(error));
      setBusy(null);
    }
  }
  return (
    <form
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void decide(reason.trim());
      }}
    >
      {refusal !== null && <Notice tone="bad">{refusal}</Notice>}
      {isRejecting && (
        <div className="grid gap-1">
          <label htmlFor={id} className="text-sm">
            Why not? The run is told.
          </label>
          <input
            id={id}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person has just asked for it
            autoFocus
            value={reason}
            maxLength={2_000}
            autoComplete="off"
            onChange={(event) => setReason(event.target.value)}
            onKeyDown={({ key }) => key === 'Escape' && setRejecting(false)}
            className="h-9 min-w-0 rounded-md border border-line-strong bg-surface px-3 text-base"
          />
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        {/* Each is a button of its own: one that became the other while it is pressed would send the form. */}
        {!isRejecting && (
          <Button key="approve" look="primary" busy={busy === 'approve'} onClick={() => void decide(null)}>
            Approve
          </Button>
        )}
        {!isRejecting && (
          <Button key="why" onClick={() => setRejecting(true)}>
            Reject…
          </Button>
        )}
        {isRejecting && (
          <Button key="reject" type="submit" look="danger" busy={busy === 'reject'}>
            Reject
          </Button>
        )}
        {isRejecting && (
          <Button key="back" look="ghost" onClick={() => setRejecting(false)}>
            Back
          </Button>
        )}
      </div>
    </form>
  );
}
