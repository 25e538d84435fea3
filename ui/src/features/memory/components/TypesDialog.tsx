import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/Button';
import { Dialog, DialogActions } from '@/components/Dialog';
import { TextField } from '@/components/Field';
import { Form, Submit } from '@/components/Form';
import { toast } from '@/lib/announce';
import type { MemoryGroup } from '@/lib/memoryWire';
import { useDeclareTypes } from '../api';
import { declaredOf, draftOf, newNode, newRelation, type TypesDraft, withRow } from '../types';
import { NodeTypeRow, RelationTypeRow } from './TypeRows';

/** Says what a group's graph may hold: kinds of things and relations, what is left out, and whether words are kept. */
export function TypesDialog({ group, onDone }: { group: MemoryGroup; onDone: () => void }) {
  const declare = useDeclareTypes(group.group_id);
  const [draft, setDraft] = useState(() => draftOf(group));
  const change = (part: Partial<TypesDraft>) => setDraft((before) => ({ ...before, ...part }));
  const { nodes, relations } = draft;
  return (
    <Dialog
      open
      onOpenChange={onDone}
      title="Types of this group"
      description="What is said from now on is read with them. What was remembered before stays as it is."
    >
      <Form
        label="Types of this group"
        onSubmit={async () => {
          await declare.mutateAsync(declaredOf(draft));
          toast('Types saved.');
          onDone();
        }}
      >
        <fieldset className="grid gap-3">
          <legend className="mb-1.5 text-sm font-medium">Node types</legend>
          {nodes.length === 0 && (
            <p className="text-sm text-ink-2">
              None are declared: people, organisations, places, products, events and concepts are told apart.
            </p>
          )}
          {nodes.map((row, index) => (
            <NodeTypeRow
              key={row.key}
              row={row}
              number={index + 1}
              onChange={(part) => change({ nodes: withRow(nodes, row.key, part) })}
              onRemove={() => change({ nodes: nodes.filter(({ key }) => key !== row.key) })}
            />
          ))}
          <Button className="justify-self-start" onClick={() => change({ nodes: [...nodes, newNode(nodes)] })}>
            <Plus aria-hidden className="size-4" /> Add a node type
          </Button>
        </fieldset>
        <TextField
          name="excluded_types"
          label="Left out"
          value={draft.excluded}
          onChange={(event) => change({ excluded: event.target.value })}
          placeholder="place, event"
          autoComplete="off"
          hint="Kinds of things that are never kept, with commas between them."
        />
        <fieldset className="grid gap-3">
          <legend className="mb-1.5 text-sm font-medium">Relation types</legend>
          {relations.length === 0 && <p className="text-sm text-ink-2">None are declared: every relation is kept.</p>}
          {relations.map((row, index) => (
            <RelationTypeRow
              key={row.key}
              row={row}
              number={index + 1}
              onChange={(part) => change({ relations: withRow(relations, row.key, part) })}
              onRemove={() => change({ relations: relations.filter(({ key }) => key !== row.key) })}
            />
          ))}
          <Button
            className="justify-self-start"
            onClick={() => change({ relations: [...relations, newRelation(relations)] })}
          >
            <Plus aria-hidden className="size-4" /> Add a relation type
          </Button>
        </fieldset>
        <label className="flex items-start gap-2 text-sm">
          <input
            type="checkbox"
            className="mt-0.5 size-4 accent-accent"
            checked={draft.keepContent}
            onChange={(event) => change({ keepContent: event.target.checked })}
          />
          Keep what was said, word for word. Without it, only what was understood is kept from now on.
        </label>
        <DialogActions>
          <Button onClick={onDone}>Cancel</Button>
          <Submit>Save</Submit>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
