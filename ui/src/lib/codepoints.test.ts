import { describe, expect, test } from 'vitest';
import { lengthOf, slice, unitOf } from './codepoints';

describe('positions the server gives', () => {
  test('fall on the same characters here, also after an emoji', () => {
    const text = 'a😀b𝒞d';
    expect(lengthOf(text)).toBe(5);
    expect(slice(text, 2, 3)).toBe('b');
    expect(slice(text, 1, 4)).toBe('😀b𝒞');
    expect(slice(text, 4)).toBe('d');
    expect(unitOf(text, 99)).toBe(text.length);
  });

  test('need no counting in plain text', () => {
    expect(lengthOf('plain')).toBe(5);
    expect(slice('plain', 1, 3)).toBe('la');
  });
});
