/** Small marks that stand in a line of text or a row. */
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { exactTime, initials, relativeTime } from '@/lib/format';
import { keyCaps } from '@/lib/hotkeys';
import { useNow } from '@/lib/useNow';

const BADGE = {
  plain: 'bg-sunken text-ink-2',
  accent: 'bg-accent-soft text-accent',
  ok: 'bg-ok-soft text-ok',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
} as const;

export function Badge({ tone = 'plain', children }: { tone?: keyof typeof BADGE; children: ReactNode }) {
  return (
    <span
      className={clsx(
        'inline-flex items-center gap-1 rounded-sm px-1.5 py-px text-xs font-medium whitespace-nowrap',
        BADGE[tone],
      )}
    >
      {children}
    </span>
  );
}

export function Avatar({ name, square = false }: { name: string; square?: boolean }) {
  return (
    <span
      aria-hidden
      className={clsx(
        'grid size-7 shrink-0 place-items-center text-2xs font-semibold',
        square ? 'rounded-md bg-ink text-bg' : 'rounded-full bg-accent-soft text-accent',
      )}
    >
      {initials(name)}
    </span>
  );
}

/** A time as people say it, with the exact one on hover. */
export function Time({ at, exact = false }: { at: string; exact?: boolean }) {
  const now = useNow();
  return (
    <time dateTime={at} title={exactTime(at)} className="whitespace-nowrap tabular-nums">
      {exact ? exactTime(at) : relativeTime(at, now)}
    </time>
  );
}

export function Keys({ keys }: { keys: string }) {
  return (
    <span className="inline-flex items-center gap-1 whitespace-nowrap">
      {keyCaps(keys).map((chord, position) => (
        <span key={chord.join('+')} className="inline-flex items-center gap-0.5">
          {position > 0 && <span className="px-0.5 text-xs text-ink-3">then</span>}
          {chord.map((cap) => (
            <kbd
              key={cap}
              className="min-w-5 rounded-sm border border-line bg-bg px-1 text-center font-sans text-2xs leading-4.5 text-ink-2"
            >
              {cap}
            </kbd>
          ))}
        </span>
      ))}
    </span>
  );
}

/** The name of the product, with the highlighter stroke that is its sign. */
export function Wordmark({ large = false }: { large?: boolean }) {
  return (
    <span className={clsx('inline-flex items-center gap-2 font-serif font-semibold', large ? 'text-xl' : 'text-md')}>
      <img src="/favicon.svg" alt="" className={large ? 'size-7' : 'size-5'} />
      Intelli
    </span>
  );
}
