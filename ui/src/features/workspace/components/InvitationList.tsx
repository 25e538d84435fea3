import { useInfiniteQuery } from '@tanstack/react-query';
import { MailPlus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '@/components/Button';
import { ConfirmDialog } from '@/components/ConfirmDialog';
import { EmptyState } from '@/components/EmptyState';
import { Loaded } from '@/components/Loaded';
import { Badge, Time } from '@/components/Marks';
import { toast } from '@/lib/announce';
import { itemsOf } from '@/lib/pages';
import type { Invitation } from '@/lib/wire';
import { invitationsQuery, useWithdraw } from '../api';

export function InvitationList({ invite }: { invite: ReactNode }) {
  const query = useInfiniteQuery(invitationsQuery);
  const empty = (
    <EmptyState icon={<MailPlus />} title="No open invitations" action={invite}>
      An invitation is a link that you pass on yourself. Intelli sends no e-mail.
    </EmptyState>
  );
  return (
    <Loaded query={query} items={itemsOf(query.data)} empty={empty}>
      {(invitations) => (
        <ul className="divide-y divide-line rounded-lg border border-line">
          {invitations.map((invitation) => (
            <InvitationRow key={invitation.id} invitation={invitation} />
          ))}
        </ul>
      )}
    </Loaded>
  );
}

function InvitationRow({ invitation }: { invitation: Invitation }) {
  const withdraw = useWithdraw();
  const whom = invitation.email ?? 'Anyone with the link';
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5">
      <div className="min-w-0 flex-1 basis-52">
        <p className="flex items-center gap-2">
          <span className="truncate font-medium">{whom}</span>
          <Badge>{invitation.role}</Badge>
        </p>
        <p className="text-xs text-ink-3">
          Created <Time at={invitation.created_at} /> · open until <Time at={invitation.expires_at} exact />
        </p>
      </div>
      <ConfirmDialog
        trigger={
          <Button look="danger" aria-label={`Withdraw invitation for ${whom}`}>
            Withdraw
          </Button>
        }
        title="Withdraw this invitation?"
        consequence="The link stops working at once."
        action="Withdraw invitation"
        onConfirm={async () => {
          await withdraw.mutateAsync(invitation.id);
          toast('The invitation is withdrawn.');
        }}
      />
    </li>
  );
}
