/** Citations in a text as it is kept: found in order and in linear time. What is escaped or stands in code is text. */

/** A form that is longer than this is no citation. */
export const LONGEST = 1000;

export interface Segment {
  readonly text: string;
  /** Which citation of the text it is, counted from zero; a segment without is words. */
  readonly ordinal?: number;
  readonly identifier?: string;
}

const TOKEN =
  /\\[!-/:-@[-`{-~]|<gml-inlinecitation[ \t]+identifier=(?:"([^"<>{}[\]`\\\n]*)"|'([^'<>{}[\]`\\\n]*)')[ \t]*\/?>/g;
const FENCE = /^ {0,3}(`{3,}(?!.*`)|~{3,})/gm;
const RUN = /\\.|`+|\n/g;
const ENTITIES = [
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&apos;', "'"],
  ['&amp;', '&'],
] as const;

/** A kept text as a reader is shown it: words and citations, in turn. */
export function segmentsOf(text: string): readonly Segment[] {
  const found: Segment[] = [];
  let at = 0;
  let ordinal = 0;
  for (const { start, end, identifier } of tagsIn(text)) {
    if (start > at) found.push({ text: text.slice(at, start) });
    found.push({ text: text.slice(start, end), ordinal: ordinal++, identifier });
    at = end;
  }
  return at < text.length ? [...found, { text: text.slice(at) }] : found;
}

/** The identifiers that a text cites, in order. */
export function citationsIn(text: string): readonly string[] {
  return Array.from(tagsIn(text), ({ identifier }) => identifier);
}

interface Tag {
  readonly start: number;
  readonly end: number;
  readonly identifier: string;
}

function* tagsIn(text: string): Generator<Tag> {
  if (!text.includes('<gml-')) return;
  const code = codeIn(text);
  let range = 0;
  for (const token of text.matchAll(TOKEN)) {
    while (range < code.length && (code[range]?.[1] ?? 0) <= token.index) range += 1;
    const isCode = (code[range]?.[0] ?? Infinity) <= token.index;
    const identifier = token[1] ?? token[2];
    if (!isCode && identifier !== undefined && token[0].length <= LONGEST)
      yield { start: token.index, end: token.index + token[0].length, identifier: unescaped(identifier) };
  }
}

function unescaped(identifier: string): string {
  return identifier.includes('&')
    ? ENTITIES.reduce((text, [entity, character]) => text.replaceAll(entity, character), identifier)
    : identifier;
}

type Range = readonly [start: number, end: number];

/** Fenced lines, and spans between two runs of as many backticks on one line. */
function codeIn(text: string): readonly Range[] {
  if (!text.includes('`') && !text.includes('~~~')) return [];
  const ranges: Range[] = [];
  let at = 0;
  for (let fence = next(FENCE, text, at); fence !== null; fence = next(FENCE, text, at)) {
    const [, marks = ''] = fence;
    ranges.push(...spansIn(text, at, fence.index));
    const closing = next(
      new RegExp(`^ {0,3}${marks.charAt(0)}{${marks.length},}[ \\t]*$`, 'gm'),
      text,
      fence.index + fence[0].length,
    );
    at = closing === null ? text.length : closing.index + closing[0].length;
    ranges.push([fence.index, at]);
  }
  return [...ranges, ...spansIn(text, at, text.length)];
}

interface Run {
  readonly start: number;
  readonly end: number;
  readonly isEscape: boolean;
  /** Inside of code a backslash escapes nothing, so the backtick that follows it can close. */
  readonly ticks: number;
}

function spansIn(text: string, start: number, end: number): readonly Range[] {
  const ranges: Range[] = [];
  let line: Run[] = [];
  for (const run of text.slice(start, end).matchAll(RUN)) {
    if (run[0] === '\n') {
      ranges.push(...spansOfLine(line));
      line = [];
    } else line.push(runOf(run, start));
  }
  return [...ranges, ...spansOfLine(line)];
}

function runOf({ 0: text, index }: RegExpExecArray, offset: number): Run {
  const isEscape = text.startsWith('\\');
  return {
    start: offset + index,
    end: offset + index + text.length,
    isEscape,
    ticks: isEscape ? Number(text[1] === '`') : text.length,
  };
}

/** A run of backticks that nothing closes on its line is text. */
function spansOfLine(runs: readonly Run[]): readonly Range[] {
  const ranges: Range[] = [];
  const later = new Map<number, number[]>();
  for (let number = runs.length - 1; number >= 0; number -= 1) {
    const ticks = runs[number]?.ticks ?? 0;
    const same = later.get(ticks);
    if (same) same.push(number);
    else later.set(ticks, [number]);
  }
  for (let number = 0; number < runs.length; number += 1) {
    const run = runs[number];
    const same = later.get(run?.ticks ?? 0) ?? [];
    while ((same.at(-1) ?? Infinity) <= number) same.pop();
    const closing = same.at(-1);
    const last = closing === undefined ? undefined : runs[closing];
    if (!run || run.isEscape || closing === undefined || !last || last.end - run.start > LONGEST) continue;
    ranges.push([run.start, last.end]);
    number = closing;
  }
  return ranges;
}

function next(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
