import { Square } from 'lucide-react';
import { Button } from '@/components/Button';
import { Notice } from '@/components/Notice';
import { ProgressBar } from '@/components/ProgressBar';
import { toast } from '@/lib/announce';
import type { TextCheckSummary } from '@/lib/checkWire';
import { messageOf } from '@/lib/problem';
import { useCancelCheck } from '../api';
import { progressText } from '../words';

interface CheckProgressProps {
  check: TextCheckSummary;
  mayChange: boolean;
}

/** How far a check is while it is at work, and why it ended where it did not come to its end. */
export function CheckProgress({ check, mayChange }: CheckProgressProps) {
  const cancel = useCancelCheck();
  const { id, status, progress, error, message } = check;
  // What the judge could not do.
  if (status === 'completed') return message === '' ? null : <Notice>{message}</Notice>;
  if (status === 'failed')
    return <Notice tone="bad">{error?.message || message || 'The check failed. Start it again.'}</Notice>;
  if (status === 'cancelled')
    return <Notice title="This check was stopped.">What was checked until then is shown below.</Notice>;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line bg-surface px-3.5 py-2.5">
      <div className="min-w-0 flex-1 basis-56">
        <p role="status" className="mb-1.5 text-sm text-ink-2 tabular-nums">
          {progressText(check)}
        </p>
        <ProgressBar label="Progress of the check" value={status === 'pending' ? undefined : progress} />
      </div>
      {mayChange && (
        <Button
          busy={cancel.isPending}
          onClick={() => cancel.mutate(id, { onError: (failure) => toast(messageOf(failure), 'bad') })}
        >
          {!cancel.isPending && <Square aria-hidden className="size-3.5 fill-current" />} Cancel
        </Button>
      )}
    </div>
  );
}
