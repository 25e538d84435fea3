import { describe, expect, test } from 'vitest';
import { citationsIn } from './citations';
import { blocksOf, BlockSplitter } from './markdownBlocks';

const CITE = '<gml-inlinecitation identifier="ab.0-9"/>';
const TEXT = [
  '# Findings\n\nThe lake rose. ' + CITE + ' It fell.\n\n',
  '- one ' + CITE + '\n- two\n\n  still two\n\n- three\n\nAfter the list.\n\n',
  '```py\nx = 1\n\ny = "' + CITE + '"\n```\n\n',
  '| a | b |\n| - | - |\n| 1 | 2 ' + CITE + ' |\n\n1. first\n\n   more\n2. second\n\n> quoted\n\nThe end ' + CITE,
].join('');

function split(chunks: Iterable<string>) {
  const splitter = new BlockSplitter();
  for (const chunk of chunks) splitter.push(chunk);
  return splitter.tail === null ? splitter.closed : [...splitter.closed, splitter.tail];
}

describe('blocks of Markdown', () => {
  test('end at blank lines, but not inside code or a list', () => {
    expect(blocksOf(TEXT).map(({ text }) => text.trim().split('\n')[0])).toEqual([
      '# Findings',
      `The lake rose. ${CITE} It fell.`,
      `- one ${CITE}`,
      'After the list.',
      '```py',
      '| a | b |',
      '1. first',
      '> quoted',
      `The end ${CITE}`,
    ]);
  });

  test('are the same however the text was cut, and lose nothing', () => {
    const whole = blocksOf(TEXT);
    expect(split(TEXT)).toEqual(whole);
    for (let cut = 1; cut < TEXT.length; cut += 1) expect(split([TEXT.slice(0, cut), TEXT.slice(cut)])).toEqual(whole);
    expect(whole.map(({ text }) => text).join('')).toBe(TEXT);
  });

  test('know how many citations stand before them, without those in code', () => {
    expect(blocksOf(TEXT).map(({ firstCitation }) => firstCitation)).toEqual([0, 0, 1, 2, 2, 2, 3, 3, 3]);
    expect(citationsIn(`${CITE} and \`${CITE}\` and ${CITE}`)).toHaveLength(2);
  });

  test('keep their identity while the text grows', () => {
    const splitter = new BlockSplitter();
    splitter.push('One.\n\nTwo');
    const { closed } = splitter;
    splitter.push(' and more');
    expect(splitter.closed).toBe(closed);
    expect(splitter.tail?.text).toBe('Two and more');
    splitter.push('\n\n');
    expect(splitter.closed[0]).toBe(closed[0]);
    expect(splitter.tail).toBeNull();
  });

  test('stay small in a list without end', () => {
    const list = Array.from({ length: 2_000 }, (_, row) => `${row + 1}. An item of the list\n`).join('');
    const blocks = blocksOf(list);
    expect(blocks.length).toBeGreaterThan(5);
    expect(Math.max(...blocks.map(({ text }) => text.length))).toBeLessThan(5_000);
    expect(blocks.map(({ text }) => text).join('')).toBe(list);
  });

  test('come in time that grows with the text and not with its square', () => {
    const splitter = new BlockSplitter();
    const began = performance.now();
    for (let piece = 0; piece < 20_000; piece += 1)
      splitter.push(`Sentence ${piece} of the answer. ${piece % 9 === 0 ? '\n\n' : ''}`);
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});
