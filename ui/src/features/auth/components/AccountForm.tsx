import { PasswordField, TextField } from '@/components/Field';
import { Form, Submit, type Values } from '@/components/Form';
import { checkAccount } from '../account';
import { type NewAccount, register } from '../api';

interface AccountFormProps {
  action: string;
  /** With an invitation the account joins its workspace; without one it gets a workspace of its own. */
  invitation?: { readonly token: string; readonly email: string | null };
  onDone: () => Promise<void> | void;
}

export function AccountForm({ action, invitation, onDone }: AccountFormProps) {
  async function submit(values: Values) {
    await register({ ...accountOf(values), ...(invitation && { invitationToken: invitation.token }) });
    await onDone();
  }

  return (
    <Form label={action} validate={checkAccount} onSubmit={submit}>
      <TextField name="name" label="Your name" autoComplete="name" />
      <TextField
        name="email"
        label="E-mail"
        type="email"
        autoComplete="username"
        inputMode="email"
        {...(invitation?.email != null && {
          defaultValue: invitation.email,
          readOnly: true,
          hint: 'The invitation is for this address.',
        })}
      />
      <PasswordField
        name="password"
        label="Password"
        autoComplete="new-password"
        hint="At least 10 characters. A short sentence works well."
      />
      {!invitation && (
        <TextField
          name="workspace_name"
          label="Name of your workspace"
          hint="Your team, your matter or your subject. You can change it later."
        />
      )}
      <Submit size="large">{action}</Submit>
    </Form>
  );
}

function accountOf({ name = '', email = '', password = '', workspace_name }: Values): NewAccount {
  const account = { name: name.trim(), email: email.trim(), password };
  return workspace_name === undefined ? account : { ...account, workspaceName: workspace_name.trim() };
}
