import { describe, expect, test } from 'vitest';
import type { SearchSource } from '@/lib/wire';
import { readSearchQuery } from './filters';
import { byRelevance } from './relevance';

const sourceOf = (relevance_score: number, content = '') =>
  ({ relevance_score, excerpts: [{ content }] }) as unknown as SearchSource;

describe('the address of a search', () => {
  test('comes out as it went in', () => {
    const search = { q: 'two words', folder: '/a/b', kind: 'pdf', source: 'web' } as const;
    expect(readSearchQuery({ ...search })).toEqual(search);
  });

  test('may look like a number, and leaves out what makes no sense', () => {
    expect(readSearchQuery({ q: 1984, folder: 'a', kind: 'hologram', source: 'x y' })).toEqual({ q: '1984' });
    expect(readSearchQuery({ q: '   ' })).toEqual({});
  });
});

describe('results', () => {
  test('that fit much less than the best stand back', () => {
    const { strong, weak } = byRelevance(
      [0.86, 0.1, 0.01].map((score) => sourceOf(score)),
      'heron',
    );
    expect([strong.length, weak.length]).toEqual([2, 1]);
  });

  test('that hold every word never do', () => {
    const { strong } = byRelevance(
      [sourceOf(0.9), sourceOf(0.01, 'Two herons on the lake.'), sourceOf(0.01, 'A heron.')],
      'the heron of the lake',
    );
    expect(strong.map(({ excerpts }) => excerpts[0]?.content)).toEqual(['', 'Two herons on the lake.']);
  });

  test('are all shown when none stands out', () => {
    expect(
      byRelevance(
        [0.11, 0.07].map((score) => sourceOf(score)),
        'heron',
      ).weak,
    ).toEqual([]);
    expect(byRelevance([], 'heron').strong).toEqual([]);
  });
});
