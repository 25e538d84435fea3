import { Link } from '@tanstack/react-router';
import { buttonClass } from '@/components/Button';
import { Wordmark } from '@/components/Marks';
import { useTitle } from '@/lib/useTitle';

export function NotFoundPage() {
  useTitle('Not found');
  return (
    <main
      id="main"
      tabIndex={-1}
      className="grid min-h-full place-content-center justify-items-start gap-4 p-8 outline-none"
    >
      <Wordmark />
      <h1 className="font-serif text-2xl font-semibold">There is nothing at this address.</h1>
      <p className="max-w-[52ch] text-pretty text-ink-2">
        <code className="font-mono text-sm break-all">{location.pathname}</code> does not lead anywhere. The link may be
        old, or mistyped.
      </p>
      <Link to="/" className={buttonClass('primary')}>
        Go to the overview
      </Link>
    </main>
  );
}
