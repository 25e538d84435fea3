import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { UserPlus } from 'lucide-react';
import { Button } from '@/components/Button';
import { PageHead, Section } from '@/components/Section';
import { InvitationList } from '@/features/workspace/components/InvitationList';
import { InviteDialog } from '@/features/workspace/components/InviteDialog';
import { LeaveButton } from '@/features/workspace/components/LeaveButton';
import { MemberList } from '@/features/workspace/components/MemberList';
import { RenameForm } from '@/features/workspace/components/RenameForm';
import { RulesForm } from '@/features/workspace/components/RulesForm';
import { useMe } from '@/lib/me';
import { mayAdminister } from '@/lib/permissions';

const route = getRouteApi('/shell/settings/workspace');

export function WorkspacePage() {
  const me = useMe();
  const { invite } = route.useSearch();
  const navigate = useNavigate();
  const isAdmin = mayAdminister(me.role);
  const setInviting = (open: boolean) =>
    void navigate({ to: '/settings/workspace', search: open ? { invite: true } : {}, replace: true });
  const inviteButton = (
    <Button look="primary" onClick={() => setInviting(true)}>
      <UserPlus aria-hidden className="size-4" />
      Invite
    </Button>
  );
  return (
    <>
      <PageHead title="Workspace and members">
        {isAdmin
          ? 'Who works in this workspace, and what they may do.'
          : `Who works in ${me.workspace.name}. Owners and admins can change it.`}
      </PageHead>
      {isAdmin && (
        <Section title="Name">
          <RenameForm />
        </Section>
      )}
      {isAdmin && (
        <Section title="Rules" description="What holds for everyone who works here.">
          <RulesForm />
        </Section>
      )}
      <Section title="Members" {...(isAdmin && { action: inviteButton })}>
        <MemberList me={me} />
      </Section>
      {isAdmin && (
        <Section title="Open invitations" description="Each link works once. Withdraw what is no longer wanted.">
          <InvitationList invite={inviteButton} />
        </Section>
      )}
      <Section title="Leave" description="A workspace always keeps an owner: the last one cannot leave.">
        <LeaveButton me={me} />
      </Section>
      {isAdmin && <InviteDialog open={invite === true} onOpenChange={setInviting} />}
    </>
  );
}
