import type { ComponentType } from 'react';
import type { CitationProps } from '@/components/markdown/Markdown';
import type { Metric } from '@/lib/gml/blocks';
import { Citations } from './RunsView';

interface MetricStripProps {
  metrics: readonly Metric[];
  Citation: ComponentType<CitationProps>;
}

/** Figures side by side, each as its source writes it. */
export function MetricStrip({ metrics, Citation }: MetricStripProps) {
  return (
    <dl className="report-metrics">
      {metrics.map((metric, position) => (
        <div key={position}>
          <dt>
            {metric.name || 'Figure'}
            <span className="report-fine">{[metric.entity, metric.period].filter(Boolean).join(' · ')}</span>
          </dt>
          <dd>
            <span className="report-figure">{metric.shown || `${metric.value} ${metric.unit}`.trim()}</span>
            {metric.citation !== null && <Citations cited={[metric.citation]} Citation={Citation} />}
          </dd>
        </div>
      ))}
    </dl>
  );
}
