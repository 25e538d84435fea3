import { Button } from '@/components/Button';
import { Dialog, DialogActions } from '@/components/Dialog';
import { AreaField, TextField } from '@/components/Field';
import { Form, Submit } from '@/components/Form';
import { toast } from '@/lib/announce';
import type { Fact } from '@/lib/memoryWire';
import { useCorrectFact } from '../api';
import { correctionOf, faultsOf } from '../correction';
import { fieldValue } from '../time';

/** Puts a fact right by hand: what it says, and when it holds. The correction is itself an episode, so that it is explained. */
export function CorrectDialog({
  fact,
  onDone,
  onCorrected,
}: {
  fact: Fact;
  onDone: () => void;
  onCorrected: (fact: string) => void;
}) {
  const correct = useCorrectFact(fact.id);
  return (
    <Dialog
      open
      onOpenChange={onDone}
      title="Correct this fact"
      description="The correction is kept as an episode of its own, with your reason."
    >
      <Form
        label="Correct this fact"
        validate={(values) => faultsOf(fact, values)}
        onSubmit={async (values) => {
          const corrected = await correct.mutateAsync(correctionOf(fact, values));
          toast('Corrected.');
          onDone();
          onCorrected(corrected.id);
        }}
      >
        <AreaField
          name="statement"
          label="What is true"
          defaultValue={fact.statement}
          rows={2}
          maxLength={2000}
          data-autofocus
        />
        <div className="grid grid-cols-2 gap-3">
          <TextField
            name="valid_at"
            label="From"
            type="datetime-local"
            step={1}
            defaultValue={fieldValue(fact.valid_at)}
          />
          <TextField
            name="invalid_at"
            label="Until (empty: it holds)"
            type="datetime-local"
            step={1}
            defaultValue={fieldValue(fact.invalid_at)}
          />
        </div>
        <TextField
          name="reason"
          label="Why"
          placeholder="For example: it says so in the contract"
          maxLength={2000}
          autoComplete="off"
        />
        <DialogActions>
          <Button onClick={onDone}>Cancel</Button>
          <Submit>Correct</Submit>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
