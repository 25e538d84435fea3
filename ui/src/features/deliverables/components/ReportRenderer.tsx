import { type ComponentType, memo, type ReactNode } from 'react';
import type { CitationProps } from '@/components/markdown/Markdown';
import type { GmlChunk } from '@/lib/gml/splitter';
import { headingsBefore } from '../outline';
import { BlockView } from './report/BlockView';

interface ReportRendererProps {
  chunks: readonly GmlChunk[];
  /** What is being written now. */
  tail?: GmlChunk | null;
  /** How a citation is shown. */
  Citation: ComponentType<CitationProps>;
  /** What stands where the report lists its sources. */
  sources?: ReactNode;
  /** The level that the title of the report has on the page. */
  level?: 1 | 2 | 3;
  /** The title stands above already. */
  isTitled?: boolean;
}

/** A report made of React elements, never of HTML. What is written is drawn once; only the last block is drawn anew while it grows. */
export const ReportRenderer = memo(function ReportRenderer({
  chunks,
  tail = null,
  Citation,
  sources = null,
  level = 1,
  isTitled = false,
}: ReportRendererProps) {
  const all = tail === null ? chunks : [...chunks, tail];
  const before = headingsBefore(all.map(({ blocks }) => blocks));
  return (
    <div className="prose report">
      {all.map((chunk, position) => (
        <Chunk
          key={position}
          chunk={chunk}
          first={before[position] ?? 0}
          Citation={Citation}
          sources={sources}
          level={level}
          isTitled={isTitled}
        />
      ))}
    </div>
  );
});

interface ChunkProps extends Required<Omit<ReportRendererProps, 'chunks' | 'tail'>> {
  chunk: GmlChunk;
  /** How many headings stand before it. */
  first: number;
}

const Chunk = memo(function Chunk({ chunk, first, ...rest }: ChunkProps) {
  const before = headingsBefore(chunk.blocks.map((block) => [block]));
  return chunk.blocks.map((block, position) => (
    <BlockView key={position} block={block} heading={first + (before[position] ?? 0)} {...rest} />
  ));
});
