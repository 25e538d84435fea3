import { PasswordField, TextField } from '@/components/Field';
import { Form, Submit } from '@/components/Form';
import { checkCredentials } from '../account';
import { signIn } from '../api';

interface LoginFormProps {
  action?: string;
  invitationToken?: string;
  onDone: () => Promise<void> | void;
}

export function LoginForm({ action = 'Sign in', invitationToken, onDone }: LoginFormProps) {
  return (
    <Form
      label={action}
      validate={checkCredentials}
      onSubmit={async ({ email = '', password = '' }) => {
        await signIn({ email: email.trim(), password }, invitationToken);
        await onDone();
      }}
    >
      <TextField name="email" label="E-mail" type="email" autoComplete="username" inputMode="email" />
      <PasswordField name="password" label="Password" autoComplete="current-password" />
      <Submit size="large">{action}</Submit>
    </Form>
  );
}
