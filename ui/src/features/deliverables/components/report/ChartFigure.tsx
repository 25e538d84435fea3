import { ChartColumn } from 'lucide-react';
import { Component, type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react';
import type { CitationProps } from '@/components/markdown/Markdown';
import type { Block } from '@/lib/gml/blocks';
import type { ChartSpec, Scalar } from '@/lib/gml/chartSpec';
import { Citations } from './RunsView';

const VegaChart = lazy(() => import('./VegaChart'));

interface ChartFigureProps {
  chart: Extract<Block, { type: 'chart' }>;
  Citation: ComponentType<CitationProps>;
}

/** A chart, and its data as a table: on request, or in its place where it cannot be drawn. */
export function ChartFigure({ chart: { spec, caption, alt, citations }, Citation }: ChartFigureProps) {
  const [hasFailed, setFailed] = useState(false);
  const fail = () => setFailed(true);
  return (
    <figure className="report-chart">
      {!hasFailed && (
        <Boundary onFailure={fail}>
          <Suspense fallback={<Waiting />}>
            <VegaChart spec={spec} label={alt || caption || 'Chart'} onFailure={fail} />
          </Suspense>
        </Boundary>
      )}
      {hasFailed && <DataTable spec={spec} />}
      <figcaption>
        {caption}
        <Citations cited={citations} Citation={Citation} />
      </figcaption>
      {!hasFailed && (
        <details>
          <summary>Data of this chart</summary>
          <DataTable spec={spec} />
        </details>
      )}
    </figure>
  );
}

function Waiting() {
  return (
    <div aria-hidden className="grid h-56 place-items-center rounded-md bg-sunken text-ink-3">
      <ChartColumn className="size-6" />
    </div>
  );
}

const NAMES: Readonly<Record<string, string>> = { label: 'Of', shown: 'Value', value: 'Value' };

function DataTable({ spec: { data } }: { spec: ChartSpec }) {
  const named = [...new Set(data.values.flatMap((row) => Object.keys(row)))];
  // Ours say each value twice: as a number to draw, and as it is written.
  const fields = named.includes('shown') ? named.filter((field) => field !== 'value') : named;
  return (
    <div className="prose-table max-h-80 overflow-auto" role="region" aria-label="Data of the chart" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {fields.map((field) => (
              <th key={field} scope="col">
                {NAMES[field] ?? field}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.values.map((row, number) => (
            <tr key={number}>
              {fields.map((field) => (
                <td key={field} {...(typeof row[field] === 'number' && { align: 'right' })}>
                  {shown(row[field])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function shown(value: Scalar | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'number'
    ? new Intl.NumberFormat(undefined, { maximumFractionDigits: 12 }).format(value)
    : String(value);
}

/** A drawing that cannot be fetched or breaks takes nothing else with it. */
class Boundary extends Component<{ onFailure: () => void; children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override componentDidCatch() {
    this.props.onFailure();
  }

  override render() {
    return this.state.isBroken ? null : this.props.children;
  }
}
