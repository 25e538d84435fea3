import { useRouter } from '@tanstack/react-router';
import { Button } from '@/components/Button';
import { Wordmark } from '@/components/Marks';
import { ApiProblem, isUnreachable, messageOf } from '@/lib/problem';

/** A page that could not be shown: says why, and tries again. */
export function RouteFailure({ error }: { error: unknown }) {
  const router = useRouter();
  const title = error instanceof ApiProblem ? error.title : 'This page broke';
  return (
    <main id="main" className="grid min-h-full place-content-center gap-4 p-8">
      <Wordmark />
      <h1 className="font-serif text-2xl font-semibold">{title}</h1>
      <p role="alert" className="max-w-[52ch] text-pretty text-ink-2">
        {messageOf(error)}
      </p>
      <div className="flex gap-2">
        <Button look="primary" onClick={() => (isUnreachable(error) ? void router.invalidate() : location.reload())}>
          {isUnreachable(error) ? 'Try again' : 'Reload'}
        </Button>
        <a href="/" className="inline-flex h-8 items-center px-3 text-sm font-medium text-accent hover:underline">
          Go to the start
        </a>
      </div>
    </main>
  );
}
