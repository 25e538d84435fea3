import { describe, expect, test } from 'vitest';
import { slice } from '@/lib/codepoints';
import { pageAt, snippetOf, stemsOf } from './excerpt';

const hits = (passage: string, query: string) =>
  snippetOf(passage, query)
    .segments.filter(({ isHit }) => isHit)
    .map(({ text }) => text);
const FILLER = 'Nothing of interest stands in this sentence at all. '.repeat(20);

describe('the shown part of a passage', () => {
  test('emphasises the words of the query, whatever their case, accents or ending', () => {
    expect(hits('Réports were published; a REPORT is reported here.', 'the reports')).toEqual([
      'Réports',
      'REPORT',
      'reported',
    ]);
  });

  test('leaves out words that say nothing, unless there are no others', () => {
    expect([...stemsOf('what is the cost of it')]).toEqual(['cost']);
    expect([...stemsOf('to be')]).toEqual(['to', 'be']);
  });

  test('is where most of the words are', () => {
    const passage = `${FILLER}The reactor was cooled by sodium in 1957. ${FILLER}`;
    const snippet = snippetOf(passage, 'sodium cooled reactor');
    const shown = slice(passage, snippet.start, snippet.end);
    expect(shown).toMatch(/^The reactor was cooled by sodium/);
    expect(shown).toBe(snippet.segments.map(({ text }) => text).join(''));
    expect([snippet.isCutBefore, snippet.isCutAfter]).toEqual([true, true]);
    expect(shown.length).toBeLessThanOrEqual(320);
  });

  test('marks the sentences with the words, and no more', () => {
    const passage = 'The supplier may be late. Nothing else is known of it.\nLine two\nLine three';
    const { marked } = snippetOf(passage, 'late supplier');
    expect(slice(passage, marked.start, marked.end)).toBe('The supplier may be late.');
    const lines = snippetOf('one\ntwo hits here\nthree', 'hits').marked;
    expect(slice('one\ntwo hits here\nthree', lines.start, lines.end)).toBe('two hits here');
  });

  test('is where the words stand closest, not where one of them is repeated', () => {
    const passage = Array.from({ length: 6 }, (_, page) => `Needle${page} stands on the page of a monster.`).join('\f');
    const { start, marked } = snippetOf(passage, 'Needle4 monster');
    expect(slice(passage, start)).toMatch(/^Needle4/);
    expect(slice(passage, marked.start, marked.end)).toBe('Needle4 stands on the page of a monster.');
    expect(pageAt(passage, 10, marked.start)).toBe(14);
    expect(pageAt(passage, null, marked.start)).toBeNull();
  });

  test('counts characters as the server does', () => {
    const passage = `${'😀 '.repeat(300)}found it here`;
    const { start, end } = snippetOf(passage, 'found');
    expect(slice(passage, start, end)).toContain('found it here');
  });

  test('finds words in scripts without spaces', () => {
    expect(hits('北京是中国的首都。上海是最大的城市。', '首都')).toEqual(['首都']);
  });

  test('is the beginning when no word is found, and nothing for nothing', () => {
    expect(snippetOf('A short text.', 'zebra')).toMatchObject({
      start: 0,
      end: 13,
      isCutBefore: false,
      isCutAfter: false,
    });
    expect(snippetOf('', 'zebra').segments).toEqual([]);
  });
});

test('a word with a soft hyphen inside is marked like any other', () => {
  const { segments } = snippetOf('They met at Knatter\u00adburg in May.', 'knatterburg');
  expect(segments.filter(({ isHit }) => isHit).map(({ text }) => text)).toEqual(['Knatter\u00adburg']);
});
