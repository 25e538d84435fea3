import { describe, expect, test } from 'vitest';
import { checkAccount, checkCredentials, safeNext } from './account';

describe('an account form', () => {
  const good = { name: 'Ada', email: 'ada@example.org', password: 'ten letters', workspace_name: 'Analysis' };

  test('has nothing to say about good values', () => {
    expect(checkAccount(good)).toEqual({});
  });

  test('names every field at fault', () => {
    const found = checkAccount({ name: ' ', email: 'ada', password: 'short', workspace_name: '' });
    expect(Object.keys(found).toSorted()).toEqual(['email', 'name', 'password', 'workspace_name']);
  });

  test('counts characters, not code units, in a password', () => {
    expect(checkAccount({ ...good, password: '🦉🦉🦉🦉🦉' })).toHaveProperty('password');
  });

  test('asks for a workspace name only where the form has one', () => {
    const { workspace_name: _, ...joining } = good;
    expect(checkAccount(joining)).toEqual({});
  });

  test('does not judge the form of a password at sign-in', () => {
    expect(checkCredentials({ email: 'a', password: 'x' })).toEqual({});
  });
});

describe('the way on after signing in', () => {
  test.each([
    [undefined, '/'],
    ['/settings/audit?event=login', '/settings/audit?event=login'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['https://evil.example', '/'],
  ])('%s leads to %s', (next, expected) => {
    expect(safeNext(next)).toBe(expected);
  });
});
