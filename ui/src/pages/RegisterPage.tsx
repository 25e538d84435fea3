import { Link, useNavigate } from '@tanstack/react-router';
import { AccountForm } from '@/features/auth/components/AccountForm';
import { DoorAside } from '@/features/auth/components/DoorAside';
import { SignInFrame } from '@/features/auth/components/SignInFrame';

/** For installations whose registration is open. */
export function RegisterPage() {
  const navigate = useNavigate();
  return (
    <SignInFrame title="Create an account" lead="You get a workspace of your own." aside={<DoorAside />}>
      <AccountForm action="Create account" onDone={() => navigate({ to: '/' })} />
      <p className="mt-6 text-sm text-ink-3">
        Have one already?{' '}
        <Link to="/login" className="font-medium text-accent underline underline-offset-2">
          Sign in
        </Link>
      </p>
    </SignInFrame>
  );
}
