import type { ComponentType, ReactNode } from 'react';
import type { CitationProps } from '@/components/markdown/Markdown';
import type { Cited, Run, Runs } from '@/lib/gml/blocks';

interface RunsViewProps {
  runs: Runs;
  Citation: ComponentType<CitationProps>;
}

/** A line of text with what is cited in it. */
export function RunsView({ runs, Citation }: RunsViewProps): ReactNode {
  return runs.map((run, position) => (
    <span key={position}>
      {linked(run)}
      <Citations cited={run.citations} Citation={Citation} />
    </span>
  ));
}

export function Citations({
  cited,
  Citation,
}: {
  cited: readonly Cited[];
  Citation: ComponentType<CitationProps>;
}): ReactNode {
  return cited.map(({ ordinal }) => <Citation key={ordinal} ordinal={ordinal} />);
}

function linked(run: Run): ReactNode {
  if (run.href === null) return styled(run);
  const isOurs = run.href.startsWith('/') || run.href.startsWith('#');
  return (
    <a href={run.href} {...(!isOurs && { target: '_blank', rel: 'noopener noreferrer' })}>
      {styled(run)}
    </a>
  );
}

function styled({ text, bold, italic }: Run): ReactNode {
  const words = italic ? <em>{text}</em> : text;
  return bold ? <strong>{words}</strong> : words;
}
