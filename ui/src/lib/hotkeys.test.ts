import { describe, expect, test } from 'vitest';
import { ariaKeys, chordOf, HotkeyReader, isTyping, type KeyPress, keyCaps } from './hotkeys';

function press(key: string, more: Partial<KeyPress> = {}): KeyPress {
  return {
    key,
    ctrlKey: false,
    metaKey: false,
    shiftKey: false,
    altKey: false,
    isComposing: false,
    target: null,
    ...more,
  };
}

const KNOWN = ['mod+k', 'mod+shift+d', '?', 'g a', 'g o'];

describe('the keyboard', () => {
  test('knows a chord on a PC and on a Mac', () => {
    expect(chordOf(press('k', { ctrlKey: true }), false)).toBe('mod+k');
    expect(chordOf(press('k', { metaKey: true }), true)).toBe('mod+k');
    expect(chordOf(press('k', { metaKey: true }), false)).toBe('other+k');
  });

  test('knows a shifted letter by its small form, and a question mark by itself', () => {
    expect(chordOf(press('D', { ctrlKey: true, shiftKey: true }), false)).toBe('mod+shift+d');
    expect(chordOf(press('?', { shiftKey: true }), false)).toBe('?');
  });

  test('follows a sequence while it is fresh', () => {
    const reader = new HotkeyReader();
    expect(reader.read(press('g'), KNOWN, 0)).toBeNull();
    expect(reader.read(press('a'), KNOWN, 500)).toBe('g a');
    expect(reader.read(press('g'), KNOWN, 1000)).toBeNull();
    expect(reader.read(press('a'), KNOWN, 9000)).toBeNull();
  });

  test('leaves typing and composing alone, but hears a chord', () => {
    const input = document.createElement('input');
    const reader = new HotkeyReader();
    expect(isTyping(input)).toBe(true);
    expect(reader.read(press('?', { target: input }), KNOWN)).toBeNull();
    expect(reader.read(press('?', { isComposing: true }), KNOWN)).toBeNull();
    expect(reader.read(press('k', { ctrlKey: true, target: input }), KNOWN)).toBe('mod+k');
  });

  test('prints the keys as the keyboard has them', () => {
    expect(keyCaps('mod+shift+d', true)).toEqual([['⌘', '⇧', 'D']]);
    expect(keyCaps('g a', false)).toEqual([['G'], ['A']]);
    expect(ariaKeys('mod+k', false)).toBe('Control+k');
    expect(ariaKeys('g a', false)).toBeUndefined();
  });
});
