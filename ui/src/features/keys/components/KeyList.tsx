import { useInfiniteQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '@/components/Button';
import { ConfirmDialog } from '@/components/ConfirmDialog';
import { EmptyState } from '@/components/EmptyState';
import { Loaded } from '@/components/Loaded';
import { Badge, Time } from '@/components/Marks';
import { toast } from '@/lib/announce';
import { isPast } from '@/lib/format';
import { itemsOf } from '@/lib/pages';
import type { ApiKey } from '@/lib/wire';
import { keysQuery, useRevokeKey } from '../api';

export function KeyList({ create }: { create: ReactNode }) {
  const query = useInfiniteQuery(keysQuery);
  const empty = (
    <EmptyState icon={<KeyRound />} title="No API keys yet" action={create}>
      A key lets a script or another program use Intelli as you, with as few rights as it needs.
    </EmptyState>
  );
  return (
    <Loaded query={query} items={itemsOf(query.data)} empty={empty}>
      {(keys) => (
        <ul className="divide-y divide-line rounded-lg border border-line">
          {keys.map((key) => (
            <KeyRow key={key.id} apiKey={key} />
          ))}
        </ul>
      )}
    </Loaded>
  );
}

function KeyRow({ apiKey }: { apiKey: ApiKey }) {
  const revoke = useRevokeKey();
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-medium [overflow-wrap:anywhere]">{apiKey.name}</span>
          <code className="font-mono text-xs text-ink-3">{apiKey.prefix}…</code>
          {apiKey.scopes.map((scope) => (
            <Badge key={scope}>{scope}</Badge>
          ))}
        </p>
        <p className="mt-0.5 text-xs text-ink-3">
          Created <Time at={apiKey.created_at} /> ·{' '}
          {apiKey.last_used_at === null ? (
            'never used'
          ) : (
            <>
              last used <Time at={apiKey.last_used_at} />
            </>
          )}{' '}
          · <KeyEnd at={apiKey.expires_at} />
        </p>
      </div>
      <ConfirmDialog
        trigger={
          <Button look="danger" aria-label={`Revoke key ${apiKey.name}`}>
            Revoke
          </Button>
        }
        title={
          <>
            Revoke “<bdi>{apiKey.name}</bdi>”?
          </>
        }
        consequence="Programs that use this key are refused from their next request on. This cannot be undone."
        action="Revoke key"
        onConfirm={async () => {
          await revoke.mutateAsync(apiKey.id);
          toast(`The key “${apiKey.name}” is revoked.`);
        }}
      />
    </li>
  );
}

function KeyEnd({ at }: { at: string | null }) {
  if (at === null) return <>no end</>;
  if (isPast(at))
    return (
      <span className="text-bad">
        expired <Time at={at} />
      </span>
    );
  return (
    <>
      works until <Time at={at} />
    </>
  );
}
