import { piecesOf } from '../marks';
import type { Span } from '../place';

interface MarkedTextProps {
  text: string;
  /** Where the text begins in the document. */
  at: number;
  span: Span | null;
}

/** A piece of the document, with the part of it that is the passage marked. Text is only ever shown as text. */
export function MarkedText({ text, at, span }: MarkedTextProps) {
  return piecesOf(text, at, span).map((piece, position) =>
    piece.isMarked ? (
      <mark key={position} data-passage={`${span?.start}-${span?.end}`} className="evidence">
        {piece.text}
      </mark>
    ) : (
      <span key={position}>{piece.text}</span>
    ),
  );
}
