import { useState } from 'react';
import { Button } from '@/components/Button';
import { Notice } from '@/components/Notice';
import { shortDate } from '@/lib/format';
import { ROLE_MEANING } from '@/lib/permissions';
import { messageOf } from '@/lib/problem';
import type { InvitationPreview, User } from '@/lib/wire';
import { acceptInvitation } from '../api';
import { AccountForm } from './AccountForm';
import { LoginForm } from './LoginForm';

interface InvitationDoorProps {
  token: string;
  invitation: InvitationPreview;
  user: User | null;
  onJoined: () => Promise<void> | void;
}

/** The ways through an invitation: as who you are, with a new account, or after signing in. */
export function InvitationDoor({ token, invitation, user, onJoined }: InvitationDoorProps) {
  const [hasAccount, setHasAccount] = useState(false);
  const accept = async () => {
    await acceptInvitation(token);
    await onJoined();
  };
  return (
    <div className="grid gap-5">
      <p className="text-pretty text-ink-2">
        As <strong className="font-semibold text-ink">{invitation.role}</strong> you can {ROLE_MEANING[invitation.role]}
        . The invitation is open until {shortDate(invitation.expires_at)}.
      </p>
      {user !== null && <AcceptAs user={user} onAccept={accept} />}
      {user === null && hasAccount && <LoginForm action="Sign in and join" invitationToken={token} onDone={onJoined} />}
      {user === null && !hasAccount && (
        <AccountForm
          action="Create account and join"
          invitation={{ token, email: invitation.email }}
          onDone={onJoined}
        />
      )}
      {user === null && (
        <Button look="ghost" className="justify-self-start" onClick={() => setHasAccount(!hasAccount)}>
          {hasAccount ? 'I need a new account' : 'I already have an account'}
        </Button>
      )}
    </div>
  );
}

function AcceptAs({ user, onAccept }: { user: User; onAccept: () => Promise<void> }) {
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);

  async function accept() {
    setBusy(true);
    setRefusal(null);
    try {
      await onAccept();
    } catch (error) {
      setRefusal(messageOf(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {refusal !== null && <Notice tone="bad">{refusal}</Notice>}
      <Button look="primary" size="large" busy={busy} onClick={() => void accept()}>
        <span className="truncate">
          Join as <bdi>{user.name}</bdi>
        </span>
      </Button>
      <p className="text-sm text-ink-3 [overflow-wrap:anywhere]">You are signed in as {user.email}.</p>
    </div>
  );
}
