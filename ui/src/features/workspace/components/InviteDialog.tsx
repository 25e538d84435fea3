import { useState } from 'react';
import { Button } from '@/components/Button';
import { CopyField } from '@/components/CopyField';
import { Dialog, DialogActions } from '@/components/Dialog';
import { SelectField, TextField } from '@/components/Field';
import { Form, Submit, type Values } from '@/components/Form';
import { Notice } from '@/components/Notice';
import { shortDate, titleCase } from '@/lib/format';
import { ROLE_MEANING } from '@/lib/permissions';
import type { CreatedInvitation, CreateInvitation } from '@/lib/wire';
import { useInvite } from '../api';

const ROLES = ['member', 'viewer', 'admin'] as const;
type InvitedRole = (typeof ROLES)[number];

export function invitationOf({ role = 'member', email = '', days = '7' }: Values): CreateInvitation {
  return {
    role: role as InvitedRole,
    expires_in_days: Number(days),
    ...(email.trim() !== '' && { email: email.trim() }),
  };
}

interface InviteDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Makes an invitation, then shows its link once. */
export function InviteDialog({ open, onOpenChange }: InviteDialogProps) {
  const [created, setCreated] = useState<CreatedInvitation | null>(null);
  const close = () => {
    onOpenChange(false);
    setCreated(null);
  };
  if (created !== null) {
    return (
      <Dialog open={open} onOpenChange={close} sticky title="The invitation link">
        <InvitationLink created={created} onDone={close} />
      </Dialog>
    );
  }
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Invite a colleague"
      description="You get a link to pass on. It works once."
    >
      <InviteForm onCreated={setCreated} onCancel={close} />
    </Dialog>
  );
}

function InviteForm({
  onCreated,
  onCancel,
}: {
  onCreated: (created: CreatedInvitation) => void;
  onCancel: () => void;
}) {
  const invite = useInvite();
  const [role, setRole] = useState<InvitedRole>('member');
  return (
    <Form
      label="Invite a colleague"
      onSubmit={async (values) => onCreated(await invite.mutateAsync(invitationOf(values)))}
    >
      <SelectField
        name="role"
        label="Role"
        value={role}
        onChange={(event) => setRole(event.target.value as InvitedRole)}
        hint={`Can ${ROLE_MEANING[role]}.`}
      >
        {ROLES.map((one) => (
          <option key={one} value={one}>
            {titleCase(one)}
          </option>
        ))}
      </SelectField>
      <TextField
        name="email"
        label="E-mail (optional)"
        type="email"
        autoComplete="off"
        hint="With an address, only that address can use the link. Without, anyone who has it."
      />
      <SelectField name="days" label="Open for" defaultValue="7">
        <option value="1">One day</option>
        <option value="7">A week</option>
        <option value="30">30 days</option>
      </SelectField>
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Submit>Create link</Submit>
      </DialogActions>
    </Form>
  );
}

function InvitationLink({ created, onDone }: { created: CreatedInvitation; onDone: () => void }) {
  return (
    <div className="grid gap-4">
      <Notice tone="warn" title="Copy the link now.">
        It is shown this once. Pass it on to {created.email ?? 'the person you invite'}; it is open until{' '}
        {shortDate(created.expires_at)}.
      </Notice>
      <CopyField label="Invitation link" value={`${location.origin}/join#${created.token}`} />
      <DialogActions>
        <Button look="primary" onClick={onDone}>
          Done
        </Button>
      </DialogActions>
    </div>
  );
}
