/** The sections of a report, for jumping between them. */
import type { Block } from '@/lib/gml/blocks';
import type { GmlChunk } from '@/lib/gml/splitter';

export interface OutlineEntry {
  /** Which heading of the report it is, counted from zero. */
  readonly number: number;
  readonly level: number;
  readonly text: string;
}

export function outlineOf(chunks: readonly GmlChunk[]): readonly OutlineEntry[] {
  return chunks.flatMap(({ blocks }) => headings(blocks)).map(({ level, text }, number) => ({ number, level, text }));
}

export function headingsIn(blocks: readonly Block[]): number {
  return headings(blocks).length;
}

/** How many headings stand before each of these. */
export function headingsBefore(parts: readonly (readonly Block[])[]): readonly number[] {
  const before = [0];
  for (const blocks of parts) before.push((before.at(-1) ?? 0) + headingsIn(blocks));
  return before;
}

/** How many sections are there. The server tells each when it is written, so every one that has begun is finished. */
export function sectionsDone(chunks: readonly GmlChunk[]): number {
  return outlineOf(chunks).filter(({ level }) => level === 2).length;
}

/** The anchor of a heading. Numbered, so that no report can name an element of the page. */
export function anchorOf(number: number): string {
  return `section-${number}`;
}

function headings(blocks: readonly Block[]): readonly Extract<Block, { type: 'heading' }>[] {
  return blocks.flatMap((block) => {
    if (block.type === 'heading') return [block];
    return block.type === 'row' ? [...headings(block.primary), ...headings(block.sidebar)] : [];
  });
}
