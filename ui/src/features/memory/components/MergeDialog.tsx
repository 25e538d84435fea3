import { useState } from 'react';
import { Button } from '@/components/Button';
import { Dialog, DialogActions } from '@/components/Dialog';
import { SelectField, TextField } from '@/components/Field';
import { Form, Submit } from '@/components/Form';
import { toast } from '@/lib/announce';
import type { GraphNode, NodeHistory } from '@/lib/memoryWire';
import { useMergeNodes } from '../api';

interface MergeDialogProps {
  node: NodeHistory;
  nodes: readonly GraphNode[];
  onDone: () => void;
  onMerged: (keep: string) => void;
}

const OFFERED = 200;

/** Says that two nodes are the same. It can be taken back: the other name stays and may be split off again. */
export function MergeDialog({ node, nodes, onDone, onMerged }: MergeDialogProps) {
  const merge = useMergeNodes();
  const [text, setText] = useState('');
  const others = nodes
    .filter(({ id, name }) => id !== node.id && name.toLocaleLowerCase().includes(text.trim().toLocaleLowerCase()))
    .slice(0, OFFERED);
  return (
    <Dialog
      open
      onOpenChange={onDone}
      title={
        <>
          Merge “<bdi>{node.name}</bdi>” with another
        </>
      }
      description="The other name becomes an alias, and can be split off again."
    >
      <Form
        label="Merge nodes"
        validate={({ other = '' }) => (other === '' ? { other: 'Choose the other node.' } : {})}
        onSubmit={async ({ other = '', keep = 'this', reason = '' }) => {
          const [kept, merged] = keep === 'this' ? [node.id, other] : [other, node.id];
          await merge.mutateAsync({ keep: kept, merge: merged, reason: reason.trim() });
          toast('Merged.');
          onDone();
          onMerged(kept);
        }}
      >
        <TextField
          name="filter"
          label="Find the other"
          value={text}
          onChange={(event) => setText(event.target.value)}
          autoComplete="off"
          data-autofocus
        />
        <SelectField
          name="other"
          label="The other node"
          key={`${text}-${others.length}`}
          hint={others.length === 0 ? 'No other node has such a name.' : undefined}
        >
          {others.map((other) => (
            <option key={other.id} value={other.id}>
              {other.name}
            </option>
          ))}
        </SelectField>
        <SelectField name="keep" label="Which name stays" defaultValue="this">
          <option value="this">{node.name}</option>
          <option value="other">The other one</option>
        </SelectField>
        <TextField name="reason" label="Why" maxLength={2000} autoComplete="off" />
        <DialogActions>
          <Button onClick={onDone}>Cancel</Button>
          <Submit>Merge</Submit>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
