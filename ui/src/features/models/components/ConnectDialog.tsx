import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '@/components/Button';
import { Dialog, DialogActions } from '@/components/Dialog';
import { Form, Submit } from '@/components/Form';
import { Skeleton } from '@/components/Loaded';
import { Notice } from '@/components/Notice';
import type { Endpoint, Models, Provider, ProviderPreset } from '@/lib/modelWire';
import { messageOf } from '@/lib/problem';
import { providersQuery, useConnect } from '../api';
import { atField, checkEndpoint, endpointOf } from '../draft';
import { AddModelForm } from './AddModelForm';
import { ConnectionFields } from './ConnectionFields';

interface ConnectDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  models: Models;
}

/** Connects a provider, then asks which of its models to use. */
export function ConnectDialog({ open, onOpenChange, models }: ConnectDialogProps) {
  const [endpoint, setEndpoint] = useState<Endpoint | null>(null);
  const close = () => {
    onOpenChange(false);
    setEndpoint(null);
  };
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title={endpoint === null ? 'Connect a provider' : 'Choose a model'}
      description={
        endpoint === null
          ? 'It is asked for its models before anything is kept.'
          : 'It is connected. The model that you choose is tested at once.'
      }
    >
      {endpoint === null ? (
        <ConnectStep onConnected={setEndpoint} onCancel={close} />
      ) : (
        <AddModelForm endpoint={endpoint} models={models} onDone={close} />
      )}
    </Dialog>
  );
}

interface StepProps {
  onConnected: (endpoint: Endpoint) => void;
  onCancel: () => void;
}

function ConnectStep(props: StepProps) {
  const query = useQuery(providersQuery);
  if (query.isPending) return <Skeleton />;
  if (query.data === undefined) {
    return (
      <Notice tone="bad" action={<Button onClick={() => void query.refetch()}>Try again</Button>}>
        {messageOf(query.error)}
      </Notice>
    );
  }
  return <ConnectForm {...props} presets={query.data} />;
}

function ConnectForm({ presets, onConnected, onCancel }: StepProps & { presets: readonly ProviderPreset[] }) {
  const connect = useConnect();
  const [provider, setProvider] = useState<Provider | undefined>(presets[0]?.provider);
  const chosen = presets.find((preset) => preset.provider === provider);
  return (
    <Form
      label="Connect a provider"
      validate={(values) => checkEndpoint(values, chosen)}
      onSubmit={async (values) => {
        try {
          onConnected(await connect.mutateAsync(endpointOf(values)));
        } catch (error) {
          throw atField(error);
        }
      }}
    >
      <ConnectionFields presets={presets} chosen={chosen} onChoose={setProvider} />
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Submit>Connect</Submit>
      </DialogActions>
    </Form>
  );
}
