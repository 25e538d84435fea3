/** Stretches of text in one style, put together as they are read. */
import type { GmlElement } from './tree';

export interface Cited {
  readonly identifier: string;
  /** Which citation of the whole text it is, counted from zero. */
  readonly ordinal: number;
}

/** A stretch of text in one style, and what is cited after it. */
export interface Run {
  readonly text: string;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly href: string | null;
  readonly citations: readonly Cited[];
}

export type Runs = readonly Run[];

export type Style = Pick<Run, 'bold' | 'italic' | 'href'>;

export const PLAIN: Style = { bold: false, italic: false, href: null };
export const SPACES = /[ \t\r\n\f]+/g;

/** The style inside of an element. */
export function styled({ tag, attributes: { href } }: GmlElement, style: Style): Style {
  if (tag === 'strong' || tag === 'b') return { ...style, bold: true };
  if (tag === 'em' || tag === 'i') return { ...style, italic: true };
  return href === undefined ? style : { ...style, href };
}

/** Words in a style, joined to those before where they are of one. */
export function add(words: string, style: Style, runs: Run[]): void {
  const last = runs.at(-1);
  const isSame =
    last &&
    last.citations.length === 0 &&
    last.bold === style.bold &&
    last.italic === style.italic &&
    last.href === style.href;
  if (isSame) runs[runs.length - 1] = { ...last, text: (last.text + words).replaceAll(SPACES, ' ') };
  else if (words !== '') runs.push({ ...style, text: words.replaceAll(SPACES, ' '), citations: [] });
}

/** A citation belongs to the words before it. */
export function cite(cited: Cited | undefined, runs: Run[]): void {
  if (!cited) return;
  const last = runs.at(-1) ?? { ...PLAIN, text: '', citations: [] };
  runs[Math.max(0, runs.length - 1)] = { ...last, citations: [...last.citations, cited] };
}

/** Takes the space off an end, unless a citation stands there. */
export function trim(runs: Run[], at: number, end: RegExp): void {
  const run = runs[at];
  if (run && run.citations.length === 0) runs[at] = { ...run, text: run.text.replace(end, '') };
}
