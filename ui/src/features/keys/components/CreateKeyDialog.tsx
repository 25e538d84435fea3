import { useId, useState } from 'react';
import { Button } from '@/components/Button';
import { CopyField } from '@/components/CopyField';
import { Dialog, DialogActions } from '@/components/Dialog';
import { SelectField, TextField } from '@/components/Field';
import { Form, Submit, useForm } from '@/components/Form';
import { Notice } from '@/components/Notice';
import type { CreatedApiKey, Scope } from '@/lib/wire';
import { useCreateKey } from '../api';
import { checkKey, LIFETIMES, requestOf, SCOPES } from '../draft';

interface CreateKeyDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** What the caller's role can give to a key. */
  offered: readonly Scope[];
}

/** Makes a key, then shows its secret once. */
export function CreateKeyDialog({ open, onOpenChange, offered }: CreateKeyDialogProps) {
  const [created, setCreated] = useState<CreatedApiKey | null>(null);
  const close = () => {
    onOpenChange(false);
    setCreated(null);
  };
  if (created !== null) {
    return (
      <Dialog
        open={open}
        onOpenChange={close}
        sticky
        title={
          <>
            Key “<bdi>{created.name}</bdi>”
          </>
        }
      >
        <CreatedKey created={created} onDone={close} />
      </Dialog>
    );
  }
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="New API key"
      description="For programs that act as you in this workspace."
    >
      <KeyForm offered={offered} onCreated={setCreated} onCancel={close} />
    </Dialog>
  );
}

interface KeyFormProps {
  offered: readonly Scope[];
  onCreated: (created: CreatedApiKey) => void;
  onCancel: () => void;
}

function KeyForm({ offered, onCreated, onCancel }: KeyFormProps) {
  const create = useCreateKey();
  return (
    <Form
      label="New API key"
      validate={checkKey}
      onSubmit={async (values) => onCreated(await create.mutateAsync(requestOf(values)))}
    >
      <TextField name="name" label="Name" placeholder="nightly import" autoComplete="off" />
      <ScopeChoice offered={offered} />
      <SelectField name="lifetime" label="Works for" defaultValue="90">
        {LIFETIMES.map(({ days, text }) => (
          <option key={days} value={days}>
            {text}
          </option>
        ))}
      </SelectField>
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Submit>Create key</Submit>
      </DialogActions>
    </Form>
  );
}

function ScopeChoice({ offered }: { offered: readonly Scope[] }) {
  const id = useId();
  const message = useForm().messages.scopes;
  return (
    <fieldset name="scopes" className="grid gap-1">
      <legend className="mb-1.5 text-sm font-medium">May</legend>
      {SCOPES.filter(({ scope }) => offered.includes(scope)).map(({ scope, meaning }) => (
        <div key={scope} className="flex min-h-8 items-center gap-2.5 rounded-md px-1 hover:bg-bg coarse:min-h-11">
          <input
            type="checkbox"
            id={`${id}-${scope}`}
            name={`scope-${scope}`}
            defaultChecked={scope === 'read'}
            className="size-4 accent-accent"
          />
          <label htmlFor={`${id}-${scope}`} className="flex-1 py-1">
            <span className="font-medium">{scope}</span> <span className="text-sm text-ink-3">{meaning}</span>
          </label>
        </div>
      ))}
      {message !== undefined && <p className="text-sm text-bad">{message}</p>}
    </fieldset>
  );
}

function CreatedKey({ created, onDone }: { created: CreatedApiKey; onDone: () => void }) {
  const example = `curl -H "X-API-Key: ${created.key}" ${location.origin}/api/v1/auth/me`;
  return (
    <div className="grid gap-4">
      <Notice tone="warn" title="Copy the key now.">
        We keep only a fingerprint of it, so nobody can show it to you again.
      </Notice>
      <CopyField label="API key" value={created.key} />
      <CopyField label="Try it" value={example} />
      <DialogActions>
        <Button look="primary" onClick={onDone}>
          I have stored it
        </Button>
      </DialogActions>
    </div>
  );
}
