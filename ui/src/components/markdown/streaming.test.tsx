import { render } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { BlockSplitter } from '@/lib/markdownBlocks';
import { type CitationProps, Markdown } from './Markdown';

const LENGTH = 100_000;
const PIECE = 800;
const SENTENCE = 'The count of the northern lake rose to **14** pairs, as `table 3` says. ';

/** An answer of many blocks, each with one citation, so that whoever counts those drawn counts the blocks. */
function longAnswer(): string {
  const kinds = [(text: string) => text, (text: string) => `- ${text}\n- ${text}`, (text: string) => `> ${text}`];
  const blocks: string[] = [];
  for (let length = 0; length < LENGTH; length += blocks.at(-1)?.length ?? 0) {
    blocks.push(
      `${kinds[blocks.length % kinds.length]?.(SENTENCE.repeat(4))} <gml-inlinecitation identifier="s.${blocks.length}-9"/>\n\n`,
    );
  }
  return blocks.join('');
}

test('while 100 kB stream in, only the block that is being written is drawn anew', () => {
  const draw = vi.fn(({ ordinal }: CitationProps) => <i>{ordinal}</i>);
  const timesDrawn = (block: number) => draw.mock.calls.filter(([{ ordinal }]) => ordinal === block).length;
  const text = longAnswer();
  const splitter = new BlockSplitter();
  const page = render(<Markdown closed={[]} Citation={draw} />);
  const whenClosed: number[] = [];
  for (let at = 0; at < text.length; at += PIECE) {
    splitter.push(text.slice(at, at + PIECE));
    page.rerender(<Markdown closed={splitter.closed} tail={splitter.tail} Citation={draw} />);
    for (let block = whenClosed.length; block < splitter.closed.length; block += 1)
      whenClosed[block] = timesDrawn(block);
  }
  expect(splitter.closed.length).toBeGreaterThan(150);
  expect(whenClosed.map((_, block) => timesDrawn(block))).toEqual(whenClosed);
  expect(Math.max(...whenClosed)).toBeLessThanOrEqual(3);
  expect(page.container.querySelectorAll('i').length).toBeGreaterThanOrEqual(whenClosed.length);
}, 60_000);
