import { useNavigate } from '@tanstack/react-router';
import { AccountForm } from '@/features/auth/components/AccountForm';
import { SignInFrame } from '@/features/auth/components/SignInFrame';
import { Exhibit } from '@/features/auth/components/Exhibit';
import { Promises } from '@/features/auth/components/Promises';
import { Tagline } from '@/features/auth/components/Tagline';

/** The first page of a new installation: what this is, and the account that owns it. */
export function WelcomePage() {
  const navigate = useNavigate();
  return (
    <SignInFrame
      title="Welcome. Make it yours."
      lead="Nobody has an account here yet. The first one owns this installation."
      aside={
        <div className="grid gap-9">
          <Tagline large />
          <Exhibit />
          <Promises />
        </div>
      }
    >
      <AccountForm action="Create account" onDone={() => navigate({ to: '/' })} />
    </SignInFrame>
  );
}
