import { expect, test } from 'vitest';
import type { Document } from '@/lib/wire';
import { factsLine, factsOrigin } from './facts';

const NOTHING: Document['facts'] = { kind: null, date: null, period: null, parties: [], amends: [] };
const told = (value: string) => ({ value, words: value, origin: 'text' as const, start: 0, end: value.length });

test('a document is told in one line: kind, date, period, what it amends', () => {
  const facts: Document['facts'] = {
    ...NOTHING,
    kind: told('annual report'),
    date: told('2025-03-14'),
    period: told('2024-Q3'),
    amends: [{ ...told('the Framework Agreement'), replaces: false }],
  };
  expect(factsLine(facts)).toMatch(/^Annual report · .*2025.* · covers Q3 2024 · amends the Framework Agreement$/);
});

test('a document that tells nothing has no line', () => {
  expect(factsLine(NOTHING)).toBe('');
});

test('many parties are counted, and years joined by a dash', () => {
  const parties = ['A', 'B', 'C'].map((name) => ({ ...told(name), role: 'party' as const }));
  expect(factsLine({ ...NOTHING, period: told('2019/2023'), parties })).toBe('covers 2019–2023 · A, B and 1 more');
});

test('what a person corrected is said to be theirs', () => {
  const facts = { ...NOTHING, kind: { ...told('memo'), origin: 'person' as const } };
  expect(factsOrigin(facts)).toBe('memo: corrected by hand');
});
