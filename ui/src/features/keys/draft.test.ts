import { expect, test } from 'vitest';
import { checkKey, requestOf } from './draft';

test('a key is asked for with its scopes and its end', () => {
  const values = { name: ' ci ', 'scope-read': 'on', 'scope-write': 'on', lifetime: '30' };
  const now = Date.UTC(2026, 0, 1);
  expect(requestOf(values, now)).toEqual({
    name: 'ci',
    scopes: ['read', 'write'],
    expires_at: '2026-01-31T00:00:00.000Z',
  });
});

test('a key without an end names none', () => {
  expect(requestOf({ name: 'ci', 'scope-read': 'on', lifetime: '' })).toEqual({ name: 'ci', scopes: ['read'] });
});

test('a key needs a name and a scope', () => {
  expect(Object.keys(checkKey({ name: ' ' }))).toEqual(['name', 'scopes']);
});
