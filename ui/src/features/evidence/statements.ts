/** Statements of an answer, the citations that belong to them, and where their figures were read. */
import type { FigureSource, Statement } from '@/lib/checkWire';
import type { Citation } from '@/lib/conversationWire';
import type { Mark, Marks } from './marks';

export function statementOf(citation: Citation, statements: readonly Statement[]): Statement | undefined {
  return statements.find(({ citation_ids }) => citation_ids.includes(citation.id));
}

/** “together with [2]”: what else carries a statement; for a citation that carries nothing of it, what does. */
export function othersText(statement: Statement, citation: Citation, marks: Marks): string | null {
  const carries = statement.carried_by.includes(citation.id);
  const others = numbersOf(
    statement.carried_by.filter((id) => id !== citation.id),
    marks,
  );
  if (others === '') return carries || statement.carried_by.length > 0 ? null : 'carried by no citation';
  return carries ? `together with ${others}` : `carried by ${others}, not by this one`;
}

/** “[1] [3]”: sources in the order of the text, each once. */
export function numbersOf(ids: readonly string[], marks: Marks): string {
  const numbers = marks.flatMap((mark) => (mark?.citation && ids.includes(mark.citation.id) ? [mark.number] : []));
  return [...new Set(numbers)].map((number) => `[${number}]`).join(' ');
}

/** The mark of the citation that a figure was read in, narrowed to the figure itself. Its page is found from the span. */
export function markOfFigure({ citation_id, char_start, char_end }: FigureSource, marks: Marks): Mark | null {
  const mark = marks.find((one) => one?.citation?.id === citation_id);
  if (!mark?.citation) return null;
  return { ...mark, citation: { ...mark.citation, char_start, char_end, page: null } };
}
