import { clsx } from 'clsx';
import type { CitationProps } from '@/components/markdown/Markdown';
import { CHECKS, spoken, useMark } from '../marks';

const LOOKS = {
  ok: 'text-ok',
  warn: 'text-warn',
  bad: 'text-bad',
  plain: 'text-ink-3',
} as const;

/** The number of a source in the text, with the sign of its check. What is pressed and hovered is heard by the text around. */
export function CitationChip({ ordinal }: CitationProps) {
  const mark = useMark(ordinal);
  if (!mark) return null;
  const look = mark.check === null ? null : CHECKS[mark.check];
  return (
    <button
      type="button"
      data-citation={ordinal}
      aria-label={spoken(mark)}
      className={clsx('citation', mark.isGone && 'is-gone', mark.decision === 'disputed' && 'is-disputed')}
    >
      <span aria-hidden>{mark.number}</span>
      {look !== null && (
        <span aria-hidden className={clsx('citation-sign', LOOKS[mark.decision === 'disputed' ? 'bad' : look.tone])}>
          {mark.decision === 'disputed' ? '⚑' : look.sign}
        </span>
      )}
    </button>
  );
}
