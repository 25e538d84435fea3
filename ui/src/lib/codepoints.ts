/** The server counts characters (code points), JavaScript counts UTF-16 units: an emoji is one there and two here. */

const ASTRAL = /[\ud800-\udbff][\udc00-\udfff]/;

/** How many characters a text has. */
export function lengthOf(text: string): number {
  return ASTRAL.test(text) ? Array.from(text).length : text.length;
}

/** The part of a text between two character positions. */
export function slice(text: string, start: number, end?: number): string {
  return text.slice(unitOf(text, start), end === undefined ? undefined : unitOf(text, end));
}

/** The UTF-16 position of a character. */
export function unitOf(text: string, character: number): number {
  if (!ASTRAL.test(text)) return character;
  let unit = 0;
  for (let seen = 0; seen < character && unit < text.length; seen += 1)
    unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
  return unit;
}
