/** A checked text as pieces: what stands between statements, and the statements. */
import type { TextStatement } from '@/lib/checkWire';
import { lengthOf } from '@/lib/codepoints';

export interface Piece {
  readonly start: number;
  readonly text: string;
  /** Null for what states nothing. */
  readonly statement: TextStatement | null;
  /** A statement that another one stands inside of has several pieces; its sign follows the last. */
  readonly isLast: boolean;
}

/** Where statements lie over each other, the shorter one is shown: it says more of its words. */
export function piecesOf(text: string, statements: readonly TextStatement[]): readonly Piece[] {
  const total = lengthOf(text);
  const cut = cutterOf(text, total);
  const waiting = statements
    .filter(({ char_start, char_end }) => char_start < char_end && char_end <= total)
    .toSorted((a, b) => b.char_start - a.char_start);
  const edges = [...new Set([0, total, ...waiting.flatMap(({ char_start, char_end }) => [char_start, char_end])])];
  const pieces: { start: number; end: number; statement: TextStatement | null }[] = [];
  let open: TextStatement[] = [];
  let start = 0;
  for (const end of edges.toSorted((a, b) => a - b).slice(1)) {
    open = open.filter(({ char_end }) => char_end > start);
    while ((waiting.at(-1)?.char_start ?? end) <= start) open.push(...waiting.splice(-1));
    const statement = shortestOf(open);
    const before = pieces.at(-1);
    if (before && before.statement === statement) before.end = end;
    else pieces.push({ start, end, statement });
    start = end;
  }
  const last = new Map(pieces.map(({ statement }, position) => [statement, position]));
  return pieces.map(({ start: from, end, statement }, position) => ({
    start: from,
    text: cut(from, end),
    statement,
    isLast: last.get(statement) === position,
  }));
}

function size({ char_start, char_end }: TextStatement): number {
  return char_end - char_start;
}

function shortestOf(statements: readonly TextStatement[]): TextStatement | null {
  return statements.reduce<TextStatement | null>(
    (found, one) => (found === null || size(one) < size(found) ? one : found),
    null,
  );
}

/** Cuts by characters, as the server counts them; they are counted once. */
function cutterOf(text: string, total: number): (start: number, end: number) => string {
  if (total === text.length) return (start, end) => text.slice(start, end);
  const characters = Array.from(text);
  return (start, end) => characters.slice(start, end).join('');
}
