/** The words that prove a fact, among the words around them. */
import { slice } from '@/lib/codepoints';
import type { Episode, Proof } from '@/lib/memoryWire';

/** How much is shown on either side. */
const AROUND = 90;

export interface Quoted {
  readonly before: string;
  /** Null where the words are not kept. */
  readonly quote: string | null;
  readonly after: string;
}

/** Without the episode, or where the words no longer stand in it, the quote stands alone. */
export function quoted(
  episode: Pick<Episode, 'content' | 'role' | 'role_type'> | null,
  { quote, quote_start, quote_end }: Pick<Proof, 'quote' | 'quote_start' | 'quote_end'>,
): Quoted {
  if (quote === null || quote_start === null || quote_end === null || !episode?.content)
    return { before: '', quote, after: '' };
  if (slice(episode.content, quote_start, quote_end) !== quote) return { before: '', quote, after: '' };
  const from = Math.max(0, quote_start - AROUND);
  const before = slice(episode.content, from, quote_start).replace(
    from === 0 ? `${episode.role}(${episode.role_type}): ` : '',
    '',
  );
  const after = slice(episode.content, quote_end, quote_end + AROUND);
  const isCut = slice(episode.content, quote_end + AROUND) !== '';
  return { before: from > 0 ? `…${before}` : before, quote, after: isCut ? `${after}…` : after };
}
