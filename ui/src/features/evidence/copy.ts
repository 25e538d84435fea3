/** An answer as plain Markdown with numbered sources, for other programs. */
import { placeOf } from '@/lib/documents';
import { CHECKS, type Marks } from './marks';

const CITATION = /\s*<gml-inlinecitation\s[^<>]*\/>/g;

const FENCE = /^ {0,3}(`{3,})[^`]*$/;
// What begins HTML or an address in angle brackets, and what makes an image or a definition of one.
const LIVE = /<(?=[a-z!/?])|(?<=!)\[|(?<=^\s*)\[(?=[^\]]+\]:)/gi;

export function answerWithSources(content: string, marks: Marks): string {
  let ordinal = 0;
  const cited = content.replace(CITATION, () => {
    const mark = marks[ordinal++];
    return mark ? ` [${mark.number}]` : '';
  });
  const text = withoutLiveParts(cited);
  const lines = sourceLines(marks).map(inert);
  return lines.length === 0 ? text : `${text.trimEnd()}\n\nSources\n${lines.join('\n')}\n`;
}

/** Fenced code stays as it is; elsewhere images and HTML become words, so that whoever shows the text fetches nothing. */
function withoutLiveParts(text: string): string {
  let fence = 0;
  return text
    .split('\n')
    .map((line) => {
      const ticks = FENCE.exec(line)?.[1]?.length ?? 0;
      const closes = fence > 0 && ticks >= fence && line.trim().length === ticks;
      const isCode = fence > 0 || ticks > 0;
      fence = closes ? 0 : fence || ticks;
      return isCode ? line : inert(line);
    })
    .join('\n');
}

function inert(line: string): string {
  // Not by a backslash: one that stands before it already would undo it.
  return line.replaceAll(LIVE, (sign) => (sign === '<' ? '&lt;' : '&#91;'));
}

/** One line a passage: the number of its source, where it stands, what it says, and what the check found. */
function sourceLines(marks: Marks): readonly string[] {
  const lines = marks.flatMap((mark) => {
    if (!mark) return [];
    const head = [mark.name, placeOf(mark)].filter(Boolean).join(', ');
    const quote = mark.citation?.quote ? `: “${mark.citation.quote.replaceAll(/\s+/g, ' ').trim()}”` : '';
    const doubt = mark.check === null || mark.check === 'verified' ? '' : ` (${CHECKS[mark.check].word.toLowerCase()})`;
    return [{ number: mark.number, line: `[${mark.number}] ${head}${quote}${doubt}` }];
  });
  return [...new Set(lines.toSorted((a, b) => a.number - b.number).map(({ line }) => line))];
}
