import { describe, expect, test } from 'vitest';
import { opening, readMemorySearch, standingAt } from './place';
import { factOf } from './testing';
import {
  barsOf,
  dayOf,
  fieldValue,
  fromField,
  intervalOf,
  justBefore,
  momentAt,
  spanOf,
  standingOf,
  STEPS,
  stepOf,
} from './time';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const SPAN = spanOf({ first: '2024-01-01T00:00:00Z', last: '2025-06-01T00:00:00Z' }, NOW);
const UUID = '01a1e37f-35ec-7328-b134-7bd36adbe4b5';

describe('the slider', () => {
  test('reaches from before the first change up to now, or into what is said of the future', () => {
    expect(SPAN.from).toBeLessThan(Date.parse('2024-01-01T00:00:00Z'));
    expect(SPAN.to).toBe(NOW);
    expect(spanOf({ first: null, last: '2030-01-01T00:00:00Z' }, NOW).to).toBe(Date.parse('2030-01-01T00:00:00Z'));
    const nothing = spanOf({ first: null, last: null }, NOW);
    expect(nothing.to - nothing.from).toBeGreaterThan(0);
  });

  test('stands at now when no moment is chosen, and choosing now is choosing none', () => {
    expect(stepOf(SPAN, undefined, NOW)).toBe(STEPS);
    expect(momentAt(SPAN, STEPS, NOW)).toBeUndefined();
    const ahead = spanOf({ first: null, last: '2030-01-01T00:00:00Z' }, NOW);
    expect(momentAt(ahead, stepOf(ahead, undefined, NOW), NOW)).toBeUndefined();
    expect(momentAt(ahead, STEPS, NOW)).toBe('2030-01-01T00:00:00.000Z');
  });

  test('finds back to every step it gives', () => {
    for (let step = 0; step < STEPS; step += 37) expect(stepOf(SPAN, momentAt(SPAN, step, NOW), NOW)).toBe(step);
    expect(stepOf(SPAN, '1900-01-01T00:00:00Z', NOW)).toBe(0);
  });

  test('shows changes where they are, the busiest highest', () => {
    const bars = barsOf(SPAN, [
      { at: '2024-01-01T00:00:00Z', count: 1 },
      { at: '2025-06-01T00:00:00Z', count: 4 },
    ]);
    expect(bars[1]?.height).toBe(1);
    expect(bars[0]?.height).toBe(0.5);
    expect(bars[0]?.at).toBeGreaterThan(0);
    expect(bars[1]?.at).toBeLessThan(1);
  });

  test('steps before a change, not onto it', () => {
    const change = '2025-03-01T09:00:00Z';
    const fact = factOf({ valid_at: change });
    expect(standingOf(fact, { as_of: justBefore(change) })).toBe('coming');
    expect(standingOf(fact, { as_of: change })).toBe('holds');
  });
});

describe('a fact at a moment', () => {
  const ended = factOf({ invalid_at: '2025-01-01T00:00:00Z', expired_at: '2025-02-01T00:00:00Z' });

  test.each([
    ['2024-04-30T00:00:00Z', 'coming'],
    ['2024-05-01T00:00:00Z', 'holds'],
    ['2024-12-31T23:59:59Z', 'holds'],
    ['2025-01-01T00:00:00Z', 'ended'],
  ])('of %s stands as %s', (as_of, standing) => {
    expect(standingOf(ended, { as_of })).toBe(standing);
  });

  test('whose end was not known yet still held, by what was known', () => {
    expect(standingOf(ended, { as_of: '2025-01-15T00:00:00Z', known_at: '2025-01-15T00:00:00Z' })).toBe('holds');
    expect(standingOf(ended, { as_of: '2025-01-15T00:00:00Z', known_at: '2025-02-01T00:00:00Z' })).toBe('ended');
    expect(standingOf(ended, { known_at: '2024-05-15T00:00:00Z' })).toBe('unknown');
    expect(standingOf(ended, { known_at: '2025-01-15T00:00:00Z' })).toBe('holds');
  });

  test('of which nobody said since when has always held', () => {
    expect(standingOf(factOf({ valid_at: null }), { as_of: '1900-01-01T00:00:00Z' })).toBe('holds');
  });

  test('tells its interval in words', () => {
    expect(intervalOf(factOf(), 'en-GB')).toBe('since 1 May 2024');
    expect(intervalOf(ended, 'en-GB')).toBe('1 May 2024 – 1 Jan 2025');
    expect(intervalOf(factOf({ valid_at: null, invalid_at: ended.invalid_at }), 'en-GB')).toBe('until 1 Jan 2025');
    expect(intervalOf(factOf({ valid_at: null }))).toBe('since nobody said when');
    expect(intervalOf(factOf({ invalid_at: factOf().valid_at }))).toBe('never, as it turned out');
    expect(dayOf('2024-05-01T09:30:00Z', 'en-GB')).toMatch(/^1 May 2024.*30$/);
  });
});

test('a field for date and time gives back the moment it was given', () => {
  expect(fromField(fieldValue('2024-05-01T09:30:15Z'))).toBe('2024-05-01T09:30:15.000Z');
  expect([fieldValue(null), fromField('')]).toEqual(['', undefined]);
});

describe('the address of memory', () => {
  test('comes out as it went in, and leaves out what makes no sense', () => {
    const search = {
      group: 'team',
      look: 'list',
      q: 'Ada',
      ended: true,
      as_of: '2024-05-01T00:00:00.000Z',
      node: UUID,
    } as const;
    expect(readMemorySearch({ ...search })).toEqual(search);
    expect(
      readMemorySearch({ group: 7, look: 'hologram', q: '  ', as_of: 'yesterday', known_at: 2024, fact: 'x' }),
    ).toEqual({ group: '7' });
  });

  test('names one thing beside the page, the episode before the fact before the node', () => {
    expect(readMemorySearch({ node: UUID, fact: UUID, episode: UUID })).toEqual({ episode: UUID });
    expect(opening({ group: 'team', node: UUID }, { fact: 'f' })).toEqual({ group: 'team', fact: 'f' });
    expect(standingAt({ q: 'x', as_of: 'a', known_at: 'k' }, { known_at: 'k' })).toEqual({ q: 'x', known_at: 'k' });
  });
});
