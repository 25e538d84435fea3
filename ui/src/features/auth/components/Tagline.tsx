import { clsx } from 'clsx';

/** What Intelli is, in one sentence. */
export function Tagline({ large = false }: { large?: boolean }) {
  return (
    <p className={clsx('font-serif text-2xl leading-snug text-balance max-md:hidden', large && 'lg:text-3xl')}>
      A research workbench for work that must be <span className="evidence">checkable</span>.
    </p>
  );
}
