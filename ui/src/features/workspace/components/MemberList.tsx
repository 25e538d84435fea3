import { Users } from 'lucide-react';
import { Button } from '@/components/Button';
import { ConfirmDialog } from '@/components/ConfirmDialog';
import { EmptyState } from '@/components/EmptyState';
import { Loaded } from '@/components/Loaded';
import { Avatar, Badge, Time } from '@/components/Marks';
import { toast } from '@/lib/announce';
import { titleCase } from '@/lib/format';
import { mayChangeMember, rolesToGive } from '@/lib/permissions';
import { messageOf } from '@/lib/problem';
import type { Me, Member, Role } from '@/lib/wire';
import { useChangeRole, useMembers, useRemoveMember } from '../api';

export function MemberList({ me }: { me: Me }) {
  const { query, members } = useMembers();
  return (
    <Loaded query={query} items={members} empty={<EmptyState icon={<Users />} title="Nobody here" />}>
      {(list) => (
        <ul className="divide-y divide-line rounded-lg border border-line">
          {list.map((member) => (
            <MemberRow key={member.user_id} member={member} me={me} />
          ))}
        </ul>
      )}
    </Loaded>
  );
}

function MemberRow({ member, me }: { member: Member; me: Me }) {
  const isMe = member.user_id === me.user.id;
  const mayChange = mayChangeMember(me.role, member.role);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5">
      <Avatar name={member.name} />
      <div className="min-w-0 flex-1 basis-40">
        <p className="flex items-center gap-2">
          <span className="truncate font-medium">{member.name}</span>
          {isMe && <Badge>You</Badge>}
        </p>
        <p className="truncate text-xs text-ink-3">
          {member.email} · joined <Time at={member.joined_at} />
        </p>
      </div>
      <div className="flex items-center gap-2">
        {mayChange ? (
          <RoleChoice member={member} mine={me.role} />
        ) : (
          <span className="px-2 text-sm text-ink-2">{titleCase(member.role)}</span>
        )}
        {mayChange && !isMe && <RemoveButton member={member} />}
      </div>
    </li>
  );
}

function RoleChoice({ member, mine }: { member: Member; mine: Role }) {
  const change = useChangeRole();

  async function choose(role: Role) {
    try {
      await change.mutateAsync({ userId: member.user_id, role });
      toast(`${member.name} is ${role} now.`);
    } catch (error) {
      toast(messageOf(error), 'bad');
    }
  }

  return (
    <select
      aria-label={`Role of ${member.name}`}
      value={change.isPending ? change.variables.role : member.role}
      onChange={(event) => void choose(event.target.value as Role)}
      className="h-8 rounded-md border border-line-strong bg-surface px-2 text-sm hover:border-ink-2 coarse:min-h-11"
    >
      {rolesToGive(mine).map((role) => (
        <option key={role} value={role}>
          {titleCase(role)}
        </option>
      ))}
    </select>
  );
}

function RemoveButton({ member }: { member: Member }) {
  const remove = useRemoveMember();
  return (
    <ConfirmDialog
      trigger={
        <Button look="danger" aria-label={`Remove ${member.name}`}>
          Remove
        </Button>
      }
      title={
        <>
          Remove <bdi>{member.name}</bdi>?
        </>
      }
      consequence="They lose access to this workspace, and their sessions and API keys here end at once. What they did stays in the log."
      action="Remove member"
      onConfirm={async () => {
        await remove.mutateAsync(member.user_id);
        toast(`${member.name} is no longer a member.`);
      }}
    />
  );
}
