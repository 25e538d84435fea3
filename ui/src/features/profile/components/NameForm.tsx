import { TextField } from '@/components/Field';
import { Form, Submit } from '@/components/Form';
import { toast } from '@/lib/announce';
import type { User } from '@/lib/wire';
import { useRename } from '../api';

export function NameForm({ user }: { user: User }) {
  const rename = useRename();
  return (
    <div className="max-w-sm">
      <Form
        label="Your name"
        validate={({ name = '' }) => (name.trim() === '' ? { name: 'Enter your name.' } : {})}
        onSubmit={async ({ name = '' }) => {
          await rename.mutateAsync({ name: name.trim(), version: user.version });
          toast('Your name is saved.');
        }}
      >
        <TextField key={user.version} name="name" label="Name" defaultValue={user.name} autoComplete="name" />
        <TextField
          name="email"
          label="E-mail"
          value={user.email}
          readOnly
          disabled
          hint="You sign in with this address."
        />
        <div>
          <Submit>Save name</Submit>
        </div>
      </Form>
    </div>
  );
}
