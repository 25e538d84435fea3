/** Bringing a statement of an answer into view: its words are selected where they stand. */
import type { Statement } from '@/lib/checkWire';
import { rangeOf } from '@/lib/findText';
import { setSheet } from '@/lib/panes';
import { bringIntoView } from '@/lib/scroll';
import type { Marks } from './marks';

export function showStatement(messageId: string, statement: Statement, marks: Marks): void {
  const answer = document.querySelector(`[data-message="${messageId}"] [data-answer]`);
  if (answer === null) return;
  // On a narrow screen the list lies over the answer.
  setSheet(null);
  const words = rangeOf(answer, statement.text, '[data-citation]');
  if (words !== null) {
    getSelection()?.removeAllRanges();
    getSelection()?.addRange(words);
    bringIntoView(answer, words);
    return;
  }
  // A cell is told with its heads and stands nowhere in these words; its citation does.
  const ordinal = marks.find((mark) => mark?.citation && statement.citation_ids.includes(mark.citation.id))?.ordinal;
  bringIntoView(answer.querySelector(`[data-citation="${ordinal}"]`) ?? answer);
}
