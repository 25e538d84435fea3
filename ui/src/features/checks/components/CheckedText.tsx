import { clsx } from 'clsx';
import { memo, useMemo } from 'react';
import { type TextCheck, type TextStatement, type Verdict, VERDICT_TONES, VERDICTS } from '@/lib/checkWire';
import { type Piece, piecesOf } from '../pieces';

const TONES = { ok: 'text-ok', warn: 'text-warn', bad: 'text-bad', plain: 'text-ink-3' } as const;

interface CheckedTextProps {
  check: Pick<TextCheck, 'text' | 'statements'>;
  /** Undefined shows the verdicts of all. */
  shown: Verdict | undefined;
  selected: number | undefined;
  onSelect: (statement: TextStatement) => void;
}

/** The text as it was given, each statement underlined as its verdict says and followed by its sign. */
export function CheckedText({ check: { text, statements }, shown, selected, onSelect }: CheckedTextProps) {
  const pieces = useMemo(() => piecesOf(text, statements), [text, statements]);
  return (
    <div role="group" aria-label="The checked text" className="checked-text">
      {pieces.map((piece) =>
        piece.statement === null || (shown !== undefined && piece.statement.verdict !== shown) ? (
          piece.text
        ) : (
          <StatementPiece
            key={piece.start}
            piece={piece}
            statement={piece.statement}
            isSelected={piece.statement.number === selected}
            onSelect={onSelect}
          />
        ),
      )}
    </div>
  );
}

interface StatementPieceProps {
  piece: Piece;
  statement: TextStatement;
  isSelected: boolean;
  onSelect: (statement: TextStatement) => void;
}

// A button element does not break over lines, so this is a button in all but its name.
const StatementPiece = memo(function StatementPiece({ piece, statement, isSelected, onSelect }: StatementPieceProps) {
  const { verdict, number } = statement;
  const { sign, word } = VERDICTS[verdict];
  // Spaces at the edges are not underlined.
  const [, before = '', words = '', after = ''] = /^(\s*)(.*?)(\s*)$/s.exec(piece.text) ?? [];
  if (words === '') return piece.text;
  return (
    <>
      {before}
      <span
        role="button"
        tabIndex={0}
        aria-pressed={isSelected}
        data-statement={number}
        className={clsx('statement', `is-${verdict}`, isSelected && 'is-selected')}
        onClick={() => onSelect(statement)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== ' ') return;
          event.preventDefault();
          onSelect(statement);
        }}
      >
        {words}
        {piece.isLast && (
          <>
            <span aria-hidden className={clsx('statement-sign', TONES[VERDICT_TONES[verdict]])}>
              {sign}
            </span>
            <span className="sr-only"> ({word})</span>
          </>
        )}
      </span>
      {after}
    </>
  );
});
