import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '@/components/Button';
import { Skeleton } from '@/components/Loaded';
import { Notice } from '@/components/Notice';
import { PageHead, Section } from '@/components/Section';
import { modelsQuery } from '@/features/models/api';
import { ConnectDialog } from '@/features/models/components/ConnectDialog';
import { EndpointList } from '@/features/models/components/EndpointList';
import { FoundServers } from '@/features/models/components/FoundServers';
import { Installed } from '@/features/models/components/Installed';
import { InUse } from '@/features/models/components/InUse';
import { WithoutModel } from '@/features/models/components/WithoutModel';
import { useMe } from '@/lib/me';
import type { Models } from '@/lib/modelWire';
import { mayAdminister } from '@/lib/permissions';
import { messageOf } from '@/lib/problem';

const route = getRouteApi('/shell/settings/models');

export function ModelsPage() {
  const isAdmin = mayAdminister(useMe().role);
  const query = useQuery(modelsQuery);
  return (
    <>
      <PageHead title="Models">
        {isAdmin
          ? 'Which models think for this workspace, and where they are.'
          : 'Which models think for this workspace. Owners and admins can change it.'}
      </PageHead>
      {query.isPending && <Skeleton rows={5} />}
      {query.data === undefined && query.error !== null && (
        <Notice tone="bad" action={<Button onClick={() => void query.refetch()}>Try again</Button>}>
          {messageOf(query.error)}
        </Notice>
      )}
      {query.data !== undefined && (isAdmin ? <Managed models={query.data} /> : <Shown models={query.data} />)}
    </>
  );
}

/** What everyone may see. */
function Shown({ models }: { models: Models }) {
  return (
    <>
      <Section title="What answers now">
        {models.thinking === null ? <WithoutModel /> : <InUse models={models} />}
      </Section>
      <Section title="Connected">
        <EndpointList models={models} mayChange={false} />
      </Section>
      {models.installed !== null && (
        <Section title="Installed on this machine">
          <Installed installed={models.installed} install={null} />
        </Section>
      )}
    </>
  );
}

function Managed({ models }: { models: Models }) {
  const { connect } = route.useSearch();
  const navigate = useNavigate();
  const setConnecting = (open: boolean) =>
    void navigate({ to: '/settings/models', search: open ? { connect: true } : {}, replace: true });
  const hasModel = models.thinking !== null;
  return (
    <>
      <Section title="What answers now">
        {hasModel ? (
          <InUse models={models} />
        ) : (
          <WithoutModel
            connect={<ConnectButton onClick={() => setConnecting(true)}>Connect</ConnectButton>}
            install={models.install_command}
          />
        )}
      </Section>
      <Section title="Found on this machine" description="Ollama, LM Studio, llama.cpp and vLLM.">
        <FoundServers models={models} />
      </Section>
      <Section
        title="Connected"
        description="Keys are kept encrypted and never shown again in full."
        action={<ConnectButton onClick={() => setConnecting(true)}>Connect a provider</ConnectButton>}
      >
        <EndpointList models={models} mayChange />
      </Section>
      {(hasModel || models.installed !== null) && (
        <Section title="Installed on this machine" description="A model that Intelli runs itself.">
          <Installed installed={models.installed} install={models.install_command} />
        </Section>
      )}
      <ConnectDialog open={connect === true} onOpenChange={setConnecting} models={models} />
    </>
  );
}

function ConnectButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <Button look="primary" onClick={onClick}>
      <Plus aria-hidden className="size-4" />
      {children}
    </Button>
  );
}
