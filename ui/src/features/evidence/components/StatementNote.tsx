import { CalculationLine, VerdictLine } from '@/components/Verdict';
import type { Statement } from '@/lib/checkWire';
import type { Mark, Marks } from '../marks';
import { markOfFigure } from '../statements';

interface StatementNoteProps {
  statement: Statement;
  marks: Marks;
  /** What else carries it. */
  others?: string | null;
  onOpen: (mark: Mark) => void;
}

/** What is said of a statement as a whole, beside one of its citations. The keyboard has the list of statements. */
export function StatementNote({ statement, marks, others = null, onOpen }: StatementNoteProps) {
  const { verdict, judged_by, kind, reason, calculations } = statement;
  return (
    <div className="mt-2.5 grid gap-1 border-t border-line pt-2.5">
      <VerdictLine verdict={verdict} judgedBy={judged_by} kind={kind} note={others} />
      {reason !== '' && <p className="text-sm text-pretty text-ink-2">{reason}</p>}
      <Calculations calculations={calculations} marks={marks} onOpen={onOpen} isPointerOnly />
    </div>
  );
}

interface CalculationsProps extends Pick<Statement, 'calculations'> {
  marks: Marks;
  onOpen: (mark: Mark) => void;
  isPointerOnly?: boolean;
}

/** The calculations behind a statement's figures, each number a way to its place. */
export function Calculations({ calculations, marks, onOpen, isPointerOnly = false }: CalculationsProps) {
  return calculations.map(({ figure, formula, operands }) => (
    <CalculationLine
      key={`${figure} ${formula}`}
      figure={figure}
      formula={formula}
      operands={operands}
      isPointerOnly={isPointerOnly}
      onOpen={(operand) => {
        const mark = markOfFigure(operand, marks);
        if (mark) onOpen(mark);
      }}
    />
  ));
}
