import { PageHead, Section } from '@/components/Section';
import { MemorySwitch } from '@/features/profile/components/MemorySwitch';
import { NameForm } from '@/features/profile/components/NameForm';
import { PasswordForm } from '@/features/profile/components/PasswordForm';
import { SessionList } from '@/features/profile/components/SessionList';
import { useMe } from '@/lib/me';

export function ProfilePage() {
  const { user } = useMe();
  return (
    <>
      <PageHead title="Profile">How others see you, and how you sign in.</PageHead>
      <Section title="You">
        <NameForm user={user} />
      </Section>
      <Section title="Memory">
        <MemorySwitch user={user} />
      </Section>
      <Section title="Password" description="Changing it ends your other sessions.">
        <PasswordForm email={user.email} />
      </Section>
      <Section
        title="Sessions"
        description="Where you are signed in. End what you do not recognise, then change your password."
      >
        <SessionList />
      </Section>
    </>
  );
}
