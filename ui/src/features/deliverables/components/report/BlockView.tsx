import type { ComponentType, ReactNode } from 'react';
import type { CitationProps } from '@/components/markdown/Markdown';
import type { Block, Runs } from '@/lib/gml/blocks';
import { anchorOf, headingsBefore, headingsIn } from '../../outline';
import { ChartFigure } from './ChartFigure';
import { MetricStrip } from './MetricStrip';
import { ReportTable } from './ReportTable';
import { RunsView } from './RunsView';

interface BlockViewProps {
  block: Block;
  /** How many headings of the report stand before it. */
  heading: number;
  Citation: ComponentType<CitationProps>;
  sources: ReactNode;
  level: 1 | 2 | 3;
  isTitled: boolean;
}

/** One block of a report. */
export function BlockView({ block, heading, ...rest }: BlockViewProps): ReactNode {
  const { Citation, sources } = rest;
  const line = (runs: Runs) => <RunsView runs={runs} Citation={Citation} />;
  switch (block.type) {
    case 'heading':
      return <Heading block={block} number={heading} {...rest} />;
    case 'paragraph':
      return <p>{line(block.runs)}</p>;
    case 'bullets':
      return <ul>{items(block.items, line)}</ul>;
    case 'numbered':
      return <ol>{items(block.items, line)}</ol>;
    case 'quote':
      return <blockquote className="report-quote">{line(block.runs)}</blockquote>;
    case 'table':
      return <ReportTable table={block} Citation={Citation} />;
    case 'chart':
      return <ChartFigure chart={block} Citation={Citation} />;
    case 'metrics':
      return <MetricStrip metrics={block.metrics} Citation={Citation} />;
    case 'callout':
      return (
        <div role="note" className="report-callout">
          {block.title !== '' && <p className="report-callout-title">{block.title}</p>}
          <p>{line(block.runs)}</p>
        </div>
      );
    case 'row':
      return (
        <div className="report-row">
          <div>{inside(block.primary, heading, rest)}</div>
          {block.sidebar.length > 0 && (
            <div className="report-side">{inside(block.sidebar, heading + headingsIn(block.primary), rest)}</div>
          )}
        </div>
      );
    case 'sources':
      return sources;
    default:
      block satisfies never;
      return null;
  }
}

function items(list: readonly Runs[], line: (runs: Runs) => ReactNode): ReactNode {
  return list.map((runs, position) => <li key={position}>{line(runs)}</li>);
}

function inside(blocks: readonly Block[], first: number, rest: Omit<BlockViewProps, 'block' | 'heading'>): ReactNode {
  const before = headingsBefore(blocks.map((block) => [block]));
  return blocks.map((block, position) => (
    <BlockView key={position} block={block} heading={first + (before[position] ?? 0)} {...rest} />
  ));
}

const TAGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'] as const;
const LOOKS = ['report-title', 'report-h2', 'report-h3', 'report-h4'] as const;

interface HeadingProps {
  block: Extract<Block, { type: 'heading' }>;
  number: number;
  level: 1 | 2 | 3;
  isTitled: boolean;
}

function Heading({ block, number, level, isTitled }: HeadingProps) {
  if (isTitled && number === 0 && block.level === 1) return null;
  const Tag = TAGS[Math.max(isTitled ? level : level - 1, level + block.level - 2)] ?? 'h6';
  return (
    <Tag id={anchorOf(number)} tabIndex={-1} className={LOOKS[block.level - 1]}>
      {block.text}
    </Tag>
  );
}
