import { Button } from '@/components/Button';
import { Dialog, DialogActions } from '@/components/Dialog';
import { TextField } from '@/components/Field';
import { Form, Submit } from '@/components/Form';
import { toast } from '@/lib/announce';
import type { Fact } from '@/lib/memoryWire';
import { useEndFact } from '../api';
import { fromField } from '../time';

/** Says that a fact holds no longer. It stays in the past. */
export function EndDialog({
  fact,
  onDone,
  onEnded,
}: {
  fact: Fact;
  onDone: () => void;
  onEnded: (fact: string) => void;
}) {
  const end = useEndFact(fact.id);
  return (
    <Dialog open onOpenChange={onDone} title="End this fact" description={<bdi>{fact.statement}</bdi>}>
      <Form
        label="End this fact"
        validate={({ at = '' }) => {
          const when = fromField(at);
          return when !== undefined && fact.valid_at !== null && Date.parse(when) <= Date.parse(fact.valid_at)
            ? { at: 'It ends after it begins.' }
            : {};
        }}
        onSubmit={async ({ at = '', reason = '' }) => {
          const ended = await end.mutateAsync({ at: fromField(at) ?? null, reason: reason.trim() });
          toast('Ended. It stays in the past.');
          onDone();
          onEnded(ended.id);
        }}
      >
        <TextField name="at" label="When did it end (empty: now)" type="datetime-local" step={1} data-autofocus />
        <TextField name="reason" label="Why" maxLength={2000} autoComplete="off" />
        <DialogActions>
          <Button onClick={onDone}>Cancel</Button>
          <Submit>End the fact</Submit>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
