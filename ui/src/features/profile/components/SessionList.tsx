import { useInfiniteQuery } from '@tanstack/react-query';
import { MonitorSmartphone } from 'lucide-react';
import { Button } from '@/components/Button';
import { ConfirmDialog } from '@/components/ConfirmDialog';
import { EmptyState } from '@/components/EmptyState';
import { Loaded } from '@/components/Loaded';
import { Badge, Time } from '@/components/Marks';
import { toast } from '@/lib/announce';
import { clientName } from '@/lib/format';
import { itemsOf } from '@/lib/pages';
import type { Session } from '@/lib/wire';
import { sessionsQuery, useEndOtherSessions, useEndSession } from '../api';

export function SessionList() {
  const query = useInfiniteQuery(sessionsQuery);
  return (
    <Loaded
      query={query}
      items={itemsOf(query.data)}
      empty={<EmptyState icon={<MonitorSmartphone />} title="No sessions" />}
    >
      {(sessions) => (
        <div className="grid justify-items-start gap-3">
          <ul className="w-full divide-y divide-line rounded-lg border border-line">
            {sessions.map((session) => (
              <SessionRow key={session.id} session={session} />
            ))}
          </ul>
          {sessions.length > 1 && <EndOthers />}
        </div>
      )}
    </Loaded>
  );
}

function EndOthers() {
  const end = useEndOtherSessions();
  return (
    <ConfirmDialog
      trigger={<Button look="danger">End all others</Button>}
      title="End all other sessions?"
      consequence="You stay signed in here and are signed out everywhere else."
      action="End all"
      onConfirm={async () => {
        await end.mutateAsync();
        toast('Your other sessions have ended.');
      }}
    />
  );
}

function SessionRow({ session }: { session: Session }) {
  const end = useEndSession();
  const name = clientName(session.client);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5">
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2 font-medium" title={session.client}>
          <span className="truncate">{name}</span>
          {session.current && <Badge tone="ok">This one</Badge>}
        </p>
        <p className="text-xs text-ink-3">
          Signed in <Time at={session.created_at} /> · last used <Time at={session.last_used_at} />
        </p>
      </div>
      {!session.current && (
        <ConfirmDialog
          trigger={
            <Button look="danger" aria-label={`End session ${name}`}>
              End
            </Button>
          }
          title="End this session?"
          consequence={`${name} will be signed out, at the latest when its current access runs out in a few minutes.`}
          action="End session"
          onConfirm={async () => {
            await end.mutateAsync(session.id);
            toast('The session has ended.');
          }}
        />
      )}
    </li>
  );
}
