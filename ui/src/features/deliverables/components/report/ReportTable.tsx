import { type ComponentType, useId } from 'react';
import type { CitationProps } from '@/components/markdown/Markdown';
import type { Block, Runs } from '@/lib/gml/blocks';
import { RunsView } from './RunsView';

interface ReportTableProps {
  table: Extract<Block, { type: 'table' }>;
  Citation: ComponentType<CitationProps>;
}

const FIGURE = /^[\s$€£¥(+−–-]*\d[\d\s.,'’]*\s*(?:%|[A-Za-z€$£¥²³/]{0,12})\)?$/;

/** A table; columns of figures stand to the right. */
export function ReportTable({ table: { caption, columns, rows }, Citation }: ReportTableProps) {
  const id = useId();
  const aligns = columns.map((_, column) => (column === 0 ? undefined : alignOf(rows.map((row) => row[column] ?? []))));
  return (
    <div
      className="prose-table"
      role="region"
      tabIndex={0}
      {...(caption === '' ? { 'aria-label': 'Table' } : { 'aria-labelledby': id })}
    >
      <table>
        {caption !== '' && <caption id={id}>{caption}</caption>}
        {columns.some((column) => column !== '') && (
          <thead>
            <tr>
              {columns.map((column, position) => (
                <th key={position} scope="col" align={aligns[position]}>
                  {column}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.map((row, number) => (
            <tr key={number}>
              {row.map((cell, position) => (
                <td key={position} align={aligns[position]}>
                  <RunsView runs={cell} Citation={Citation} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function alignOf(cells: readonly Runs[]): 'right' | undefined {
  const said = cells
    .map((runs) =>
      runs
        .map(({ text }) => text)
        .join('')
        .trim(),
    )
    .filter((text) => text !== '');
  return said.length > 0 && said.every((text) => FIGURE.test(text)) ? 'right' : undefined;
}
