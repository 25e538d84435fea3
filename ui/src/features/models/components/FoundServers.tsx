import { useQuery } from '@tanstack/react-query';
import { Radar } from 'lucide-react';
import { Button } from '@/components/Button';
import { EmptyState } from '@/components/EmptyState';
import { Loaded } from '@/components/Loaded';
import { Badge } from '@/components/Marks';
import { Notice } from '@/components/Notice';
import { toast } from '@/lib/announce';
import type { FoundServer, Models } from '@/lib/modelWire';
import { messageOf } from '@/lib/problem';
import { foundQuery, knownModel, useTakeFound } from '../api';
import { PROVIDERS } from '../describe';

/** The model servers that answer on this machine, looked for when the page opens. */
export function FoundServers({ models }: { models: Models }) {
  const query = useQuery(foundQuery);
  const again = (
    <Button busy={query.isFetching} onClick={() => void query.refetch()}>
      Look again
    </Button>
  );
  const empty = (
    <EmptyState icon={<Radar />} title="No model server answers on this machine" action={again}>
      Looked at {(query.data?.looked_at ?? []).join(', ')}. Start Ollama, LM Studio, llama.cpp or vLLM, then look again.
    </EmptyState>
  );
  return (
    <Loaded query={query} items={query.data?.items ?? []} empty={empty}>
      {(servers) => (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
          {servers.map((server) => (
            <Server key={server.base_url} server={server} models={models} />
          ))}
          <div>{again}</div>
        </div>
      )}
    </Loaded>
  );
}

function Server({ server, models }: { server: FoundServer; models: Models }) {
  const take = useTakeFound();
  const title = PROVIDERS[server.provider];
  const use = (name: string) =>
    take
      .mutateAsync({ server, name })
      .then(() => toast(`${name} thinks from now on. It is being tested.`))
      // The refusal stands below the list.
      .catch(() => undefined);
  return (
    <article aria-label={`${title} on this machine`} className="rounded-lg border border-line">
      <header className="rounded-t-lg bg-bg px-4 py-3">
        <h3 className="font-semibold">{title}</h3>
        <p className="text-xs text-ink-3 [overflow-wrap:anywhere]">{server.base_url}</p>
      </header>
      {server.models.length === 0 && (
        <p className="border-t border-line px-4 py-3 text-sm text-ink-2">
          It answers, but has no model. Load one there, then look again.
        </p>
      )}
      <ul className="max-h-80 divide-y divide-line overflow-y-auto border-t border-line empty:hidden">
        {server.models.map(({ name }) => (
          <li key={name} className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 px-4 py-1.5">
            <span className="min-w-0 flex-1 basis-40 [overflow-wrap:anywhere]">{name}</span>
            {knownModel(models, server, name)?.role === 'thinking' ? (
              <Badge tone="accent">Thinking</Badge>
            ) : (
              <Button
                busy={take.isPending && take.variables.name === name}
                aria-label={`Use for thinking: ${name}`}
                onClick={() => void use(name)}
              >
                Use for thinking
              </Button>
            )}
          </li>
        ))}
      </ul>
      {take.error !== null && (
        <div className="px-4 pb-3">
          <Notice tone="bad">{messageOf(take.error)}</Notice>
        </div>
      )}
    </article>
  );
}
