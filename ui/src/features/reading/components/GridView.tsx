import { useState } from 'react';
import { Button } from '@/components/Button';
import { count } from '@/lib/format';
import type { ReadingBlock } from '@/lib/wire';
import { cellsOf, columnName, cornerOf } from '../grid';
import type { Span } from '../place';
import { MarkedText } from './MarkedText';

const ROWS_SHOWN = 100;

/** A table with the marked cells; a sheet's own also with the letters and numbers of its cells. */
export function GridView({ block, span }: { block: ReadingBlock; span: Span | null }) {
  const [shown, setShown] = useState(ROWS_SHOWN);
  const rows = cellsOf(block.text, block.start);
  const corner = cornerOf(block.place.cells);
  const columns = Math.max(...rows.map((row) => row.length));
  const lastMarked = span === null ? -1 : rows.findLastIndex((row) => (row[0]?.at ?? 0) < span.end);
  const until = Math.max(shown, lastMarked + 1);
  return (
    <div className="grid gap-2">
      <div
        role="region"
        aria-label={labelOf(block)}
        tabIndex={0}
        className="overflow-x-auto rounded-md border border-line bg-surface"
      >
        <table className="w-max min-w-full border-collapse text-xs tabular-nums [overflow-wrap:break-word]">
          {corner !== null && (
            <thead className="bg-bg text-ink-3">
              <tr>
                <th className="border-r border-b border-line px-2 py-1">
                  <span className="sr-only">Row</span>
                </th>
                {Array.from({ length: columns }, (_, column) => (
                  <th key={column} scope="col" className="border-b border-line px-2 py-1 font-medium">
                    {columnName(corner.column + column)}
                  </th>
                ))}
              </tr>
            </thead>
          )}
          <tbody>
            {rows.slice(0, until).map((row, index) => (
              <tr key={row[0]?.at ?? index} className="border-b border-line last:border-b-0">
                {corner !== null && (
                  <th scope="row" className="border-r border-line bg-bg px-2 py-1 text-right font-medium text-ink-3">
                    {corner.row + index}
                  </th>
                )}
                {row.map((cell) => (
                  <td
                    key={cell.at}
                    className="max-w-72 border-r border-line px-2 py-1 align-top whitespace-pre-wrap last:border-r-0"
                  >
                    <MarkedText text={cell.text} at={cell.at} span={span} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {until < rows.length && (
        <Button className="justify-self-start" onClick={() => setShown(until + 10 * ROWS_SHOWN)}>
          Show more of {count(rows.length, 'row')}
        </Button>
      )}
    </div>
  );
}

function labelOf({ place }: ReadingBlock): string {
  return ['Table', place.sheet, place.cells].filter((part) => part !== null).join(' ');
}
