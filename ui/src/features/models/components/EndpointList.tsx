import { useState } from 'react';
import { Plug } from 'lucide-react';
import { Button } from '@/components/Button';
import { ConfirmDialog } from '@/components/ConfirmDialog';
import { Dialog } from '@/components/Dialog';
import { EmptyState } from '@/components/EmptyState';
import { toast } from '@/lib/announce';
import type { Endpoint, Models } from '@/lib/modelWire';
import { useRemoveEndpoint } from '../api';
import { PROVIDERS } from '../describe';
import { AddModelForm } from './AddModelForm';
import { ChangeKeyDialog } from './ChangeKeyDialog';
import { ModelRow } from './ModelRow';

interface EndpointListProps {
  models: Models;
  mayChange: boolean;
}

/** Every endpoint that the workspace is connected to, with its models. */
export function EndpointList({ models, mayChange }: EndpointListProps) {
  if (models.endpoints.length === 0) {
    return (
      <EmptyState icon={<Plug />} title="Nothing is connected">
        {mayChange
          ? 'Connect a provider by its address and key, or use a model found on this machine.'
          : 'An administrator of the workspace can connect a provider here.'}
      </EmptyState>
    );
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {models.endpoints.map((endpoint) => (
        <EndpointCard key={endpoint.id} endpoint={endpoint} models={models} mayChange={mayChange} />
      ))}
    </div>
  );
}

function EndpointCard({ endpoint, models, mayChange }: EndpointListProps & { endpoint: Endpoint }) {
  const title = PROVIDERS[endpoint.provider];
  return (
    <article aria-label={`${title}, ${endpoint.base_url}`} className="rounded-lg border border-line">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-t-lg bg-bg px-4 py-3">
        <div className="min-w-0 flex-1 basis-56">
          <h3 className="font-semibold">{title}</h3>
          <p className="text-xs text-ink-3 [overflow-wrap:anywhere]">
            {endpoint.base_url}
            {/* Only who may change a key is told of it. */}
            {mayChange && (endpoint.key_hint === null ? ' · no key' : ` · key ${endpoint.key_hint}`)}
          </p>
        </div>
        {mayChange && <EndpointActs endpoint={endpoint} models={models} />}
      </header>
      {endpoint.models.length === 0 ? (
        <p className="border-t border-line px-4 py-3 text-sm text-ink-2">
          No model of it is chosen yet.{mayChange && ' Add one to use it.'}
        </p>
      ) : (
        <ul className="divide-y divide-line border-t border-line">
          {endpoint.models.map((model) => (
            <ModelRow key={model.id} model={model} mayChange={mayChange} />
          ))}
        </ul>
      )}
    </article>
  );
}

function EndpointActs({ endpoint, models }: { endpoint: Endpoint; models: Models }) {
  const [opened, open] = useState<'model' | 'key' | null>(null);
  const remove = useRemoveEndpoint();
  const title = PROVIDERS[endpoint.provider];
  const keyWords = endpoint.key_hint === null ? 'Add key' : 'Change key';
  const close = () => open(null);
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button aria-label={`Add a model of ${title}`} onClick={() => open('model')}>
        Add a model
      </Button>
      <Button aria-label={`${keyWords} of ${title}`} onClick={() => open('key')}>
        {keyWords}
      </Button>
      <ConfirmDialog
        trigger={
          <Button look="danger" aria-label={`Remove ${title}`}>
            Remove
          </Button>
        }
        title={`Remove ${title}?`}
        consequence="Its key and its models are forgotten. What they did is then done by another model, or without one. Answers they wrote stay."
        action="Remove provider"
        onConfirm={async () => {
          await remove.mutateAsync(endpoint.id);
          toast(`${title} is removed.`);
        }}
      />
      <Dialog
        open={opened === 'model'}
        onOpenChange={close}
        title={`Add a model of ${title}`}
        description="It is tested at once."
      >
        <AddModelForm endpoint={endpoint} models={models} onDone={close} />
      </Dialog>
      {opened === 'key' && <ChangeKeyDialog endpoint={endpoint} onClose={close} />}
    </div>
  );
}
