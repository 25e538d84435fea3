import { useState } from 'react';
import { PasswordField } from '@/components/Field';
import { Form, type Messages, Submit, type Values } from '@/components/Form';
import { toast } from '@/lib/announce';
import { useChangePassword } from '../api';

export function checkPasswords({ current_password = '', new_password = '' }: Values): Messages {
  return {
    ...(current_password === '' && { current_password: 'Enter the password you use now.' }),
    ...([...new_password].length < 10 && { new_password: 'Use at least 10 characters.' }),
  };
}

export function PasswordForm({ email }: { email: string }) {
  const change = useChangePassword();
  const [changes, setChanges] = useState(0);
  return (
    <div className="max-w-sm">
      <Form
        key={changes}
        label="Change password"
        validate={checkPasswords}
        onSubmit={async ({ current_password = '', new_password = '', end_api_keys }) => {
          const endsKeys = end_api_keys !== undefined;
          await change.mutateAsync({ current_password, new_password, end_api_keys: endsKeys });
          setChanges(changes + 1);
          toast(`Your password is changed. Your other sessions${endsKeys ? ' and all your API keys' : ''} have ended.`);
        }}
      >
        {/* Tells a password manager whose password this is. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <PasswordField name="current_password" label="Current password" autoComplete="current-password" />
        <PasswordField
          name="new_password"
          label="New password"
          autoComplete="new-password"
          hint="At least 10 characters."
        />
        <label className="flex items-center gap-2 text-sm text-ink coarse:min-h-11">
          <input type="checkbox" name="end_api_keys" className="size-4 accent-accent" />
          End all my API keys as well
        </label>
        <div>
          <Submit>Change password</Submit>
        </div>
      </Form>
    </div>
  );
}
