import { describe, expect, test } from 'vitest';
import type { SearchSource } from '@/lib/wire';
import { readSearchQuery } from './filters';
import { byWorth } from './worth';

const sourceOf = (relevance_score: number) => ({ relevance_score }) as SearchSource;

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
    const { strong, weak } = byWorth([0.86, 0.4, 0.05].map(sourceOf));
    expect([strong.length, weak.length]).toEqual([2, 1]);
  });

  test('are all shown when none stands out', () => {
    expect(byWorth([0.11, 0.07].map(sourceOf)).weak).toEqual([]);
    expect(byWorth([]).strong).toEqual([]);
  });
});
