import { describe, expect, test } from 'vitest';
import { mayAdminister, mayChangeMember, mayWrite, rolesToGive, scopesOf } from './permissions';

describe('a role', () => {
  test('administers from admin upwards', () => {
    expect((['owner', 'admin', 'member', 'viewer'] as const).map(mayAdminister)).toEqual([true, true, false, false]);
  });

  test('adds and changes things unless it is there to read', () => {
    expect((['owner', 'admin', 'member', 'viewer'] as const).map(mayWrite)).toEqual([true, true, true, false]);
  });

  test('never reaches above itself', () => {
    expect(mayChangeMember('admin', 'owner')).toBe(false);
    expect(mayChangeMember('admin', 'admin')).toBe(true);
    expect(mayChangeMember('owner', 'owner')).toBe(true);
    expect(mayChangeMember('member', 'viewer')).toBe(false);
  });

  test('only an owner makes owners', () => {
    expect(rolesToGive('owner')).toContain('owner');
    expect(rolesToGive('admin')).not.toContain('owner');
  });

  test('gives a key no more than it has', () => {
    expect(scopesOf('viewer')).toEqual(['read']);
    expect(scopesOf('member')).not.toContain('admin');
  });
});
