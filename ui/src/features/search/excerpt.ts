/** What to show of a passage: the part that holds most of the query's words, and those words emphasised. */
import { lengthOf, slice } from '@/lib/codepoints';

export interface Segment {
  readonly text: string;
  readonly isHit: boolean;
}

export interface Snippet {
  readonly segments: readonly Segment[];
  /** Which part of the passage is shown, in characters from its beginning. */
  readonly start: number;
  readonly end: number;
  /** The sentences of it that hold the words; all of it where no word is found. */
  readonly marked: { readonly start: number; readonly end: number };
  readonly isCutBefore: boolean;
  readonly isCutAfter: boolean;
}

interface Token {
  readonly text: string;
  readonly at: number;
  readonly isHit: boolean;
}

const SHOWN = 320;
/** Words that say nothing about what a passage is about. */
const SMALL = new Set(
  'a an and are as at be by for from how in is it of on or that the this to was were what when where which who why with do does did can'.split(
    ' ',
  ),
);
const ENDINGS = /(ies|ing|ed|es|s|ly|e)$/;
const words = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Words count as the same when they differ only in case, accents, places to break them, or a usual ending. */
export function stemOf(word: string): string {
  const plain = word
    .toLocaleLowerCase()
    .normalize('NFKD')
    .replace(/[\p{M}\u{ad}\u{200b}\u{2060}\u{feff}]/gu, '');
  return plain.length > 4 ? plain.replace(ENDINGS, '') : plain;
}

/** The page on which a part of a passage begins; pages are joined by form feeds. */
export function pageAt(passage: string, page: number | null, start: number): number | null {
  return page === null ? null : page + slice(passage, 0, start).split('\f').length - 1;
}

export function stemsOf(query: string): ReadonlySet<string> {
  const all = [...words.segment(query)]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment.toLocaleLowerCase());
  const telling = all.filter((word) => !SMALL.has(word));
  return new Set((telling.length > 0 ? telling : all).map(stemOf));
}

/** Whether every word of a query that tells something stands in a passage. */
export function holdsAll(passage: string, query: string): boolean {
  const held = new Set(
    [...words.segment(passage)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => stemOf(segment)),
  );
  return [...stemsOf(query)].every((stem) => held.has(stem));
}

/** The densest part of a passage, cut between words. */
export function snippetOf(passage: string, query: string): Snippet {
  const stems = stemsOf(query);
  const tokens = [...words.segment(passage)].map(({ segment, index, isWordLike }): Token => ({
    text: segment,
    at: index,
    isHit: isWordLike === true && stems.has(stemOf(segment)),
  }));
  const [first, last] = windowOf(tokens);
  const [from, to] = trimmed(tokens, first, last);
  const start = tokens[from]?.at ?? 0;
  const end = tokens[to]?.at ?? passage.length;
  const characters = (unit: number) => lengthOf(passage.slice(0, unit));
  return {
    segments: joined(tokens.slice(from, to)),
    start: characters(start),
    end: characters(end),
    marked: { start: characters(start), end: characters(endOfHits(tokens, from, to) ?? end) },
    isCutBefore: passage.slice(0, start).trim() !== '',
    isCutAfter: passage.slice(end).trim() !== '',
  };
}

/** The first and last token of the window with the most different hits, where they stand closest, all on one page; of equals the earliest. */
function windowOf(tokens: readonly Token[]): readonly [number, number] {
  const fits = (from: number) => {
    const begin = tokens[from]?.at ?? 0;
    const over = tokens.findIndex(
      (token, index) =>
        index >= from && (token.at + token.text.length - begin > SHOWN || (index > from && token.text.includes('\f'))),
    );
    return over < 0 ? tokens.length : Math.max(over, from + 1);
  };
  let best = { from: 0, worth: -1 };
  tokens.forEach((token, index) => {
    if (!token.isHit) return;
    const firsts = firstOfEach(tokens.slice(index, fits(index)));
    const worth = firsts.length * SHOWN - ((firsts.at(-1)?.at ?? token.at) - token.at);
    if (worth > best.worth) best = { from: index, worth };
  });
  const from = beginningOf(tokens, best.from);
  return [from, fits(from)];
}

/** The first token of each word of the query. */
function firstOfEach(tokens: readonly Token[]): readonly Token[] {
  const first = new Map<string, Token>();
  for (const token of tokens) if (token.isHit && !first.has(stemOf(token.text))) first.set(stemOf(token.text), token);
  return [...first.values()];
}

/** The beginning of the sentence that holds a token, if it is near; else a few words before. */
function beginningOf(tokens: readonly Token[], index: number): number {
  const hit = tokens[index]?.at ?? 0;
  for (let at = index; at > 0; at -= 1) {
    const before = tokens[at - 1];
    if (!before || hit - before.at > SHOWN / 3) return at;
    if (
      /[.!?。！？]\s*$|[\n\f]/.test(before.text) ||
      (/^\s/.test(before.text) && /[.!?]$/.test(tokens[at - 2]?.text ?? ''))
    )
      return at;
  }
  return 0;
}

/** Where the sentence or line ends that holds the last hit of the window. */
function endOfHits(tokens: readonly Token[], from: number, to: number): number | undefined {
  const last = tokens.findLastIndex(({ isHit }, index) => isHit && index >= from && index < to);
  if (last < 0) return undefined;
  const stop = tokens.findIndex(({ text }, index) => index > last && index < to && /^[.!?。！？]|[\n\f]/.test(text));
  const ending = tokens[stop];
  if (!ending) return undefined;
  return /^\s/.test(ending.text) ? ending.at : ending.at + 1;
}

/** Without blanks at either end. */
function trimmed(tokens: readonly Token[], first: number, last: number): readonly [number, number] {
  let [from, to] = [first, last];
  while (from < to && tokens[from]?.text.trim() === '') from += 1;
  while (to > from && tokens[to - 1]?.text.trim() === '') to -= 1;
  return [from, to];
}

function joined(tokens: readonly Token[]): readonly Segment[] {
  const segments: Segment[] = [];
  for (const { text, isHit } of tokens) {
    const last = segments.at(-1);
    if (last && last.isHit === isHit) segments[segments.length - 1] = { text: last.text + text, isHit };
    else segments.push({ text, isHit });
  }
  return segments;
}
