/** An answer as plain Markdown with numbered sources, for other programs. */
import { type Marks, placeOf } from './marks';

const CITATION = /\s*<gml-inlinecitation\s[^<>]*\/>/g;

export function answerWithSources(content: string, marks: Marks): string {
  let ordinal = 0;
  const text = content.replace(CITATION, () => {
    const mark = marks[ordinal++];
    return mark ? ` [${mark.number}]` : '';
  });
  const lines = sourceLines(marks);
  return lines.length === 0 ? text : `${text.trimEnd()}\n\nSources\n${lines.join('\n')}\n`;
}

/** One line a passage: the number of its source, where it stands, what it says, and what the check found. */
function sourceLines(marks: Marks): readonly string[] {
  const lines = marks.flatMap((mark) => {
    if (!mark) return [];
    const head = [mark.name, placeOf(mark)].filter(Boolean).join(', ');
    const quote = mark.citation?.quote ? `: “${mark.citation.quote.replaceAll(/\s+/g, ' ').trim()}”` : '';
    const doubt = mark.check === null || mark.check === 'verified' ? '' : ` (${mark.check})`;
    return [{ number: mark.number, line: `[${mark.number}] ${head}${quote}${doubt}` }];
  });
  return [...new Set(lines.toSorted((a, b) => a.number - b.number).map(({ line }) => line))];
}
