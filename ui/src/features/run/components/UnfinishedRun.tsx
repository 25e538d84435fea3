import { Button } from '@/components/Button';
import { Notice } from '@/components/Notice';
import { useRunPart } from '../stores';

interface UnfinishedRunProps {
  runId: string;
  status: 'failed' | 'cancelled';
  /** Left out where the reader may not ask. */
  onAgain?: (() => void) | undefined;
}

/** A run that ended without an answer: what happened, and the way on. */
export function UnfinishedRun({ runId, status, onAgain }: UnfinishedRunProps) {
  const failure = useRunPart(status === 'failed' ? runId : null, ({ view }) => view.failure);
  const action = onAgain && <Button onClick={onAgain}>Try again</Button>;
  if (status === 'cancelled') {
    return (
      <Notice title="Stopped." action={action}>
        What was found up to then is kept.
      </Notice>
    );
  }
  return (
    <Notice tone="bad" title="This question could not be answered." action={action}>
      {failure?.message ?? 'The reason is in the steps.'}
    </Notice>
  );
}
