/** What changed between two short texts, word by word. */

export interface Piece {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** Beyond so many pairs of words the texts are shown one after the other. */
const MOST_PAIRS = 250_000;

export function piecesOf(before: string, after: string): readonly Piece[] {
  const [old, fresh] = [wordsOf(before), wordsOf(after)];
  if (old.length * fresh.length > MOST_PAIRS)
    return joined([
      ...(before === '' ? [] : [{ kind: 'removed', text: before } as const]),
      ...(after === '' ? [] : [{ kind: 'added', text: after } as const]),
    ]);
  const common = lengths(old, fresh);
  const pieces: Piece[] = [];
  let [a, b] = [0, 0];
  while (a < old.length || b < fresh.length) {
    const [one, other] = [old[a], fresh[b]];
    if (one !== undefined && one === other) {
      pieces.push({ kind: 'same', text: one });
      a += 1;
      b += 1;
    } else if (other === undefined || (one !== undefined && (common[a + 1]?.[b] ?? 0) >= (common[a]?.[b + 1] ?? 0))) {
      pieces.push({ kind: 'removed', text: one ?? '' });
      a += 1;
    } else {
      pieces.push({ kind: 'added', text: other });
      b += 1;
    }
  }
  return joined(pieces);
}

/** Words with the space behind them. */
function wordsOf(text: string): readonly string[] {
  return text.match(/\S+\s*|\s+/g) ?? [];
}

/** How many words the rests of both have in common, from each pair of places on. */
function lengths(old: readonly string[], fresh: readonly string[]): readonly Uint32Array[] {
  const table = Array.from({ length: old.length + 1 }, () => new Uint32Array(fresh.length + 1));
  for (let a = old.length - 1; a >= 0; a -= 1) {
    const [row, below] = [table[a], table[a + 1]];
    if (!row || !below) continue;
    for (let b = fresh.length - 1; b >= 0; b -= 1)
      row[b] = old[a] === fresh[b] ? (below[b + 1] ?? 0) + 1 : Math.max(below[b] ?? 0, row[b + 1] ?? 0);
  }
  return table;
}

function joined(pieces: readonly Piece[]): readonly Piece[] {
  const whole: Piece[] = [];
  for (const piece of pieces) {
    const last = whole.at(-1);
    if (last?.kind === piece.kind) whole[whole.length - 1] = { kind: piece.kind, text: last.text + piece.text };
    else whole.push(piece);
  }
  return whole;
}
