/** A formula as text and numbers, so that each number can lead to where it was read. */

export interface FormulaPart<Operand> {
  readonly text: string;
  readonly operand: Operand | null;
}

/** An operand may stand in a formula more than once; two that are written alike are taken in turn. */
export function partsOf<Operand extends { readonly written: string }>(
  formula: string,
  figure: string,
  operands: readonly Operand[],
): readonly FormulaPart<Operand>[] {
  const whole = formula.includes('=') ? formula : `${formula} = ${figure}`;
  const result = whole.lastIndexOf('=');
  const waiting = new Map<string, Operand[]>();
  for (const operand of operands) waiting.set(operand.written, [...(waiting.get(operand.written) ?? []), operand]);
  const parts: FormulaPart<Operand>[] = [];
  let at = 0;
  for (const match of whole.slice(0, result).matchAll(patternOf([...waiting.keys()]))) {
    const alike = waiting.get(match[0]) ?? [];
    const operand = (alike.length > 1 ? alike.shift() : alike[0]) ?? null;
    if (match.index > at) parts.push({ text: whole.slice(at, match.index), operand: null });
    parts.push({ text: match[0], operand });
    at = match.index + match[0].length;
  }
  const named = new Set(parts.map(({ operand }) => operand));
  const rest = operands.filter((operand) => !named.has(operand));
  return [...parts, { text: whole.slice(at), operand: null }, ...rest.flatMap(aside)];
}

/** What the formula does not write out is named after it. */
function aside<Operand extends { readonly written: string }>(operand: Operand): readonly FormulaPart<Operand>[] {
  return [
    { text: ' · ', operand: null },
    { text: operand.written, operand },
  ];
}

/** A number is never found inside a longer one. */
function patternOf(written: readonly string[]): RegExp {
  const choices = written
    .filter(Boolean)
    .toSorted((a, b) => b.length - a.length)
    .map((one) => one.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&'));
  return choices.length === 0 ? /(?!)/g : new RegExp(`(?<![\\d.,])(?:${choices.join('|')})(?!\\d)`, 'g');
}
