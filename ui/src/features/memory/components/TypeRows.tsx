import { Trash2 } from 'lucide-react';
import { IconButton } from '@/components/Button';
import { TextField } from '@/components/Field';
import type { NodeDraft, RelationDraft } from '../types';

const MOST_NAME = 60;
const FRAME = 'grid gap-2 rounded-md border border-line p-3';

interface RowProps<Row> {
  row: Row;
  /** Counted from one, for who cannot see which row it is. */
  number: number;
  onChange: (part: Partial<Row>) => void;
  onRemove: () => void;
}

/** A kind of thing: its name, and what is noted of each. */
export function NodeTypeRow({ row, number, onChange, onRemove }: RowProps<NodeDraft>) {
  return (
    <div role="group" aria-label={`Node type ${number}`} className={FRAME}>
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-2">
        <TextField
          name={`node-${row.key}`}
          label="Name"
          value={row.name}
          onChange={(event) => onChange({ name: event.target.value })}
          maxLength={MOST_NAME}
          autoComplete="off"
        />
        <IconButton label={`Remove node type ${number}`} onClick={onRemove}>
          <Trash2 aria-hidden className="size-4" />
        </IconButton>
      </div>
      <TextField
        name={`attributes-${row.key}`}
        label="Attributes"
        value={row.attributes}
        onChange={(event) => onChange({ attributes: event.target.value })}
        placeholder="role, birthday"
        autoComplete="off"
      />
    </div>
  );
}

/** A relation: its name, between which kinds of things, and whether it has one value at a time. */
export function RelationTypeRow({ row, number, onChange, onRemove }: RowProps<RelationDraft>) {
  return (
    <div role="group" aria-label={`Relation type ${number}`} className={FRAME}>
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-2">
        <TextField
          name={`relation-${row.key}`}
          label="Name"
          value={row.name}
          onChange={(event) => onChange({ name: event.target.value })}
          maxLength={MOST_NAME}
          autoComplete="off"
        />
        <IconButton label={`Remove relation type ${number}`} onClick={onRemove}>
          <Trash2 aria-hidden className="size-4" />
        </IconButton>
      </div>
      <div className="grid grid-cols-2 gap-2">
        <TextField
          name={`sources-${row.key}`}
          label="From"
          value={row.sources}
          onChange={(event) => onChange({ sources: event.target.value })}
          placeholder="any"
          autoComplete="off"
        />
        <TextField
          name={`targets-${row.key}`}
          label="To"
          value={row.targets}
          onChange={(event) => onChange({ targets: event.target.value })}
          placeholder="any"
          autoComplete="off"
        />
      </div>
      <label className="flex items-center gap-2 text-sm">
        <input
          type="checkbox"
          className="size-4 accent-accent"
          checked={row.functional}
          onChange={(event) => onChange({ functional: event.target.checked })}
        />{' '}
        One value at a time: a newer one ends the one before
      </label>
    </div>
  );
}
