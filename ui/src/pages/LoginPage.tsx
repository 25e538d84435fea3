import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useRouter } from '@tanstack/react-router';
import { safeNext } from '@/features/auth/account';
import { installationQuery } from '@/features/auth/api';
import { DoorAside } from '@/features/auth/components/DoorAside';
import { SignInFrame } from '@/features/auth/components/SignInFrame';
import { LoginForm } from '@/features/auth/components/LoginForm';

const route = getRouteApi('/login');

export function LoginPage() {
  const { next } = route.useSearch();
  const router = useRouter();
  const installation = useQuery(installationQuery).data;
  return (
    <SignInFrame title="Sign in" lead="Good to have you back." aside={<DoorAside />}>
      <LoginForm onDone={() => router.navigate({ href: safeNext(next) })} />
      <p className="mt-6 text-sm text-pretty text-ink-3">
        {installation?.registration === 'open' ? (
          <>
            New here?{' '}
            <Link to="/register" className="font-medium text-accent underline underline-offset-2">
              Create an account
            </Link>
          </>
        ) : (
          'No account? Ask an administrator of your workspace for an invitation link.'
        )}
      </p>
    </SignInFrame>
  );
}
