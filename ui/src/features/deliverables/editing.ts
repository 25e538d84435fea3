/**
 * A report as it is edited by hand: block by block as plain words, its citations as numbers in square brackets.
 * GML that the server wrote has each block on a line of its own; what is not written in words stays as it is.
 */

export interface EditBlock {
  readonly key: number;
  /** How it is named to whoever edits it; null for what only holds other blocks. */
  readonly label: string | null;
  /** What is edited; null for a table, a chart or figures, which can be moved and left out only. */
  readonly text: string | null;
  readonly opening: string;
  readonly closing: string;
  /** Level of a heading; a chapter begins with one of level 2. */
  readonly level: number | null;
  /** The line as the server wrote it. */
  readonly source: string;
}

const LABELS: Readonly<Record<string, string>> = {
  h2: 'Chapter title',
  h3: 'Heading',
  h4: 'Heading',
  p: 'Paragraph',
  ul: 'List, a point on each line',
  ol: 'Numbered list, a point on each line',
  'gml-blockquote': 'Quote',
  'gml-gradientinsightbox': 'Box',
};
const SOURCES = '<gml-sources/>';
const LINE = /^(<(h2|h3|h4|p|ul|ol|gml-blockquote|gml-gradientinsightbox)(?: [^>]*)?>)(.*)(<\/\2>)$/;
const FIXED: readonly (readonly [RegExp, string])[] = [
  [/^<gml-table/, 'Table'],
  [/^<gml-chartcontainer/, 'Chart'],
  [/^<gml-infoblockmetric/, 'Figure'],
];
const CITATION = /<gml-inlinecitation identifier="([^"]*)"\/>/g;
const NUMBER = /\\?\[(\d{1,4})\]/g;

/** The identifiers that a text cites, each once, in order: the first is [1]. */
export function namesOf(gml: string): readonly string[] {
  return [...new Set([...gml.matchAll(CITATION)].map(([, name = '']) => decoded(name)))];
}

export function editBlocksOf(gml: string, names: readonly string[]): readonly EditBlock[] {
  return gml
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('<h1'))
    .map((line, key) => blockOf(line, key, names));
}

function blockOf(line: string, key: number, names: readonly string[]): EditBlock {
  const [, opening = '', tag = '', inner = '', closing = ''] = LINE.exec(line) ?? [];
  if (tag === '') {
    const label = FIXED.find(([pattern]) => pattern.test(line))?.[1] ?? null;
    return { key, label, text: null, opening: '', closing: '', level: null, source: line };
  }
  const isList = tag === 'ul' || tag === 'ol';
  const text = isList
    ? inner
        .split('</li>')
        .filter((item) => item !== '')
        .map((item) => wordsOf(item.replace(/^<li>/, ''), names))
        .join('\n')
    : wordsOf(inner, names);
  const level = tag.startsWith('h') ? Number(tag.slice(1)) : null;
  return { key, label: LABELS[tag] ?? tag, text, opening, closing, level, source: line };
}

/** Inline GML as words: **strong**, *emphasis*, [1] for a citation. */
function wordsOf(inner: string, names: readonly string[]): string {
  return decoded(
    inner
      .replaceAll(/\[\d{1,4}\]/g, String.raw`\$&`)
      .replaceAll(CITATION, (_, name: string) => `[${names.indexOf(decoded(name)) + 1}]`)
      .replaceAll(/<\/?strong>/g, '**')
      .replaceAll(/<\/?em>/g, '*')
      .replaceAll(/<[^>]*>/g, ''),
  );
}

/** A block as GML again, with what was written into it. */
export function gmlOf(block: EditBlock, names: readonly string[]): string {
  if (block.text === null) return block.source;
  const isList = block.opening === '<ul>' || block.opening === '<ol>';
  const lines = block.text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) return '';
  const inner = isList
    ? lines.map((line) => `<li>${inlineOf(line, names)}</li>`).join('')
    : inlineOf(lines.join(' '), names);
  return `${block.opening}${inner}${block.closing}`;
}

function inlineOf(words: string, names: readonly string[]): string {
  return encoded(words)
    .replaceAll(/\*\*(\S(?:[^*]*\S)?)\*\*/g, '<strong>$1</strong>')
    .replaceAll(/(?<!\*)\*(\S(?:[^*]*\S)?)\*(?!\*)/g, '<em>$1</em>')
    .replaceAll(NUMBER, (whole, digits: string) => {
      const name = names[Number(digits) - 1];
      if (whole.startsWith('\\')) return whole.slice(1);
      return name === undefined ? whole : `<gml-inlinecitation identifier="${encoded(name)}"/>`;
    });
}

/** The whole text again, under its title. */
export function wholeOf(title: string, blocks: readonly EditBlock[], names: readonly string[]): string {
  const lines = [`<h1>${encoded(title)}</h1>`, ...blocks.map((block) => gmlOf(block, names))];
  return lines.filter((line) => line !== '').join('\n');
}

/** Where a chapter ends that begins at a position: before the next one, or before the sources. */
function endOfChapter(blocks: readonly EditBlock[], start: number): number {
  const next = blocks.findIndex(
    ({ level, source }, position) => position > start && (level === 2 || source === SOURCES),
  );
  return next === -1 ? blocks.length : next;
}

/** The blocks without one of them; a chapter's title goes with its chapter. */
export function without(blocks: readonly EditBlock[], position: number): readonly EditBlock[] {
  const end = blocks[position]?.level === 2 ? endOfChapter(blocks, position) : position + 1;
  return [...blocks.slice(0, position), ...blocks.slice(end)];
}

/** The blocks with the chapter at a position before the one in front of it; null where there is none. */
export function chapterUp(blocks: readonly EditBlock[], position: number): readonly EditBlock[] | null {
  const before = blocks.findLastIndex(({ level }, at) => at < position && level === 2);
  if (before === -1) return null;
  const end = endOfChapter(blocks, position);
  return [
    ...blocks.slice(0, before),
    ...blocks.slice(position, end),
    ...blocks.slice(before, position),
    ...blocks.slice(end),
  ];
}

function encoded(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function decoded(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}
