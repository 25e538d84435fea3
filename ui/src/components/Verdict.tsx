/** What a check says of a statement: verdict, who judged, and the calculations behind its figures. */
import { Fragment } from 'react';
import {
  JUDGED_BY,
  type JudgedBy,
  noteOf,
  type StatementKind,
  type Verdict,
  VERDICT_TONES,
  VERDICTS,
} from '@/lib/checkWire';
import { partsOf } from '@/lib/formula';
import { Badge } from './Marks';

/** A sign and a word, never a colour alone. */
export function VerdictBadge({ verdict }: { verdict: Verdict }) {
  const { sign, word, meaning } = VERDICTS[verdict];
  return (
    <Badge tone={VERDICT_TONES[verdict]}>
      <span aria-hidden>{sign}</span>
      <span title={meaning}>{word}</span>
    </Badge>
  );
}

interface VerdictLineProps {
  verdict: Verdict;
  judgedBy: JudgedBy;
  kind: StatementKind;
  /** What else is to be said in the same line. */
  note?: string | null;
}

/** The verdict and what decided on it. What needs no citation and was not judged has a quiet label instead. */
export function VerdictLine({ verdict, judgedBy, kind, note = null }: VerdictLineProps) {
  const label = noteOf(kind);
  const isJudged = judgedBy !== 'nothing' || verdict !== 'unchecked';
  return (
    <span className="flex flex-wrap items-center gap-x-1.5 gap-y-0.5 text-xs text-ink-3">
      {(isJudged || label === null) && <VerdictBadge verdict={verdict} />}
      <span>{[isJudged && JUDGED_BY[judgedBy], note, label].filter(Boolean).join(' · ')}</span>
    </span>
  );
}

interface CalculationLineProps<Operand> {
  figure: string;
  formula: string;
  operands: readonly Operand[];
  /** Left out where the places cannot be opened. */
  onOpen?: ((operand: Operand) => void) | undefined;
  /** Where the keyboard has another way to the same places. */
  isPointerOnly?: boolean;
}

/** “94.3 + 61.2 + 48.2 = 203.7”: each number that was read opens its place. */
export function CalculationLine<Operand extends { readonly written: string }>({
  figure,
  formula,
  operands,
  onOpen,
  isPointerOnly = false,
}: CalculationLineProps<Operand>) {
  return (
    <span className="text-sm text-ink-2 tabular-nums">
      {partsOf(formula, figure, operands).map(({ text, operand }, position) => (
        <Fragment key={position}>
          {operand && onOpen ? (
            <button
              type="button"
              aria-label={`Open ${text} in its source`}
              {...(isPointerOnly && { tabIndex: -1 })}
              onClick={() => onOpen(operand)}
              className="rounded-sm px-0.5 text-accent underline underline-offset-2 hover:bg-hover"
            >
              {text}
            </button>
          ) : (
            text
          )}
        </Fragment>
      ))}
    </span>
  );
}
