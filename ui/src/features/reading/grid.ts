/** A table as it stands in the text (cells apart by tabs, rows by lines) turned back into cells that know their place. */
import { lengthOf } from '@/lib/codepoints';

export interface Cell {
  readonly text: string;
  /** Where the cell begins in the document's text. */
  readonly at: number;
}

export function isGrid(text: string): boolean {
  return text.includes('\t');
}

export function cellsOf(text: string, at: number): readonly (readonly Cell[])[] {
  let position = at;
  return text.split('\n').map((line) =>
    line.split('\t').map((cell) => {
      const placed = { text: cell, at: position };
      position += lengthOf(cell) + 1;
      return placed;
    }),
  );
}

export interface Corner {
  readonly column: number;
  readonly row: number;
}

/** The first cell of a range such as `B2:F40`; both count from 1. */
export function cornerOf(cells: string | null): Corner | null {
  const [, letters, digits] = /^([A-Z]{1,3})(\d+)/.exec(cells ?? '') ?? [];
  if (letters === undefined || digits === undefined) return null;
  return { column: [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0), row: Number(digits) };
}

/** The letters over a column, as spreadsheets have them. */
export function columnName(column: number): string {
  let name = '';
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26))
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
  return name;
}
