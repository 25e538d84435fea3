import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Button } from '@/components/Button';
import { TextField } from '@/components/Field';
import { useForm } from '@/components/Form';
import { Skeleton } from '@/components/Loaded';
import { Notice } from '@/components/Notice';
import type { OfferedModel } from '@/lib/modelWire';
import { messageOf } from '@/lib/problem';
import { offeredQuery } from '../api';
import { tokens } from '../describe';

/** The models that an endpoint offers; where it lists none, a field for the name of one. */
export function OfferedChoice({ endpointId }: { endpointId: string }) {
  const query = useQuery(offeredQuery(endpointId));
  if (query.isPending) return <Skeleton />;
  if (query.data !== undefined && query.data.length > 0) return <OfferedList offered={query.data} />;
  return (
    <>
      {query.error !== null && (
        <Notice tone="bad" action={<Button onClick={() => void query.refetch()}>Try again</Button>}>
          {messageOf(query.error)}
        </Notice>
      )}
      <TextField
        name="name"
        label="Name of the model"
        hint="The endpoint lists no models. Enter the name as the provider writes it."
        autoComplete="off"
        spellCheck={false}
      />
    </>
  );
}

function OfferedList({ offered }: { offered: readonly OfferedModel[] }) {
  const id = useId();
  const [sought, seek] = useState('');
  const [chosen, choose] = useState(offered.length === 1 ? (offered[0]?.name ?? '') : '');
  const message = useForm().messages.name;
  const words = sought.trim().toLowerCase();
  const found = offered.filter(({ name }) => name.toLowerCase().includes(words));
  const shown = found.length > 0 ? found : [{ name: sought.trim(), context_tokens: null }];
  return (
    <fieldset className="grid min-w-0 gap-2">
      <legend className="mb-1.5 text-sm font-medium">Model</legend>
      <input type="hidden" name="name" value={chosen} />
      <label className="sr-only" htmlFor={`${id}-sought`}>
        Find a model
      </label>
      <input
        id={`${id}-sought`}
        type="search"
        value={sought}
        placeholder={`Find one of ${offered.length}, or type a name`}
        onChange={(event) => seek(event.target.value)}
        className="h-9 w-full rounded-md border border-line-strong bg-surface px-3 text-base hover:border-ink-2 coarse:min-h-11"
      />
      {found.length === 0 && <p className="text-xs text-ink-3">The endpoint does not list it. It may know it still.</p>}
      <div className="max-h-56 overflow-y-auto rounded-md border border-line">
        {shown.map(({ name, context_tokens }) => (
          <label
            key={name}
            className="flex min-h-9 cursor-pointer items-center gap-2.5 px-3 py-1 hover:bg-bg has-checked:bg-accent-soft coarse:min-h-11"
          >
            <input
              type="radio"
              name="offered"
              value={name}
              checked={chosen === name}
              onChange={() => choose(name)}
              className="size-4 shrink-0 accent-accent"
            />
            <span className="min-w-0 flex-1 text-sm [overflow-wrap:anywhere]">{name}</span>
            {context_tokens !== null && (
              <span className="text-xs whitespace-nowrap text-ink-3">{tokens(context_tokens)} tokens</span>
            )}
          </label>
        ))}
      </div>
      {message !== undefined && <p className="text-sm text-bad">{message}</p>}
    </fieldset>
  );
}
