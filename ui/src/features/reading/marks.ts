/** Which part of a text lies in the marked passage. All positions count characters, as the server does. */
import { lengthOf, slice } from '@/lib/codepoints';
import type { Span } from './place';

export interface Piece {
  readonly text: string;
  readonly isMarked: boolean;
}

/** The text in at most three pieces: before, in and after the span. `at` is where the text begins. */
export function piecesOf(text: string, at: number, span: Span | null): readonly Piece[] {
  const length = lengthOf(text);
  const from = Math.min(length, Math.max(0, (span?.start ?? 0) - at));
  const to = Math.min(length, Math.max(0, (span?.end ?? 0) - at));
  if (span === null || from >= to) return [{ text, isMarked: false }];
  const pieces = [
    { text: slice(text, 0, from), isMarked: false },
    { text: slice(text, from, to), isMarked: true },
    { text: slice(text, to), isMarked: false },
  ];
  return pieces.filter((piece) => piece.text !== '');
}

export function overlaps(one: Span, other: Span | null): boolean {
  return other !== null && one.start < other.end && other.start < one.end;
}
