import { describe, expect, test } from 'vitest';
import { above, moveOf, rowsOf, type TreeNode } from './tree';

const leaf = (id: string): TreeNode => ({ id, label: id, children: [] });
const NODES: readonly TreeNode[] = [
  { id: 'a', label: 'a', children: [{ id: 'b', label: 'b', children: [leaf('c')] }, leaf('d')] },
  leaf('e'),
];
const seen = (...opened: readonly string[]) =>
  rowsOf(NODES, new Set(opened))
    .map(({ node, level }) => `${node.id}${level}`)
    .join(' ');
const move = (key: string, focused: string, ...opened: readonly string[]) =>
  moveOf(key, rowsOf(NODES, new Set(opened)), focused, new Set(opened));

describe('a tree', () => {
  test('shows what is opened', () => {
    expect(seen()).toBe('a1 e1');
    expect(seen('a')).toBe('a1 b2 d2 e1');
    expect(seen('a', 'b')).toBe('a1 b2 c3 d2 e1');
    expect(seen('b')).toBe('a1 e1');
  });

  test('knows what stands above a node', () => {
    expect(above(NODES, 'c')).toEqual(['a', 'b']);
    expect(above(NODES, 'e')).toEqual([]);
    expect(above(NODES, 'nowhere')).toEqual([]);
  });

  test('is walked by the arrows', () => {
    expect(move('ArrowDown', 'a')).toEqual({ focus: 'e' });
    expect(move('ArrowUp', 'a')).toBeNull();
    expect(move('End', 'a', 'a')).toEqual({ focus: 'e' });
    expect(move('ArrowRight', 'a')).toEqual({ open: 'a' });
    expect(move('ArrowRight', 'a', 'a')).toEqual({ focus: 'b' });
    expect(move('ArrowRight', 'e')).toEqual({});
    expect(move('ArrowLeft', 'a', 'a')).toEqual({ close: 'a' });
    expect(move('ArrowLeft', 'b', 'a')).toEqual({ focus: 'a' });
    expect(move('ArrowLeft', 'e')).toEqual({});
  });

  test('is searched by letters, round the end', () => {
    expect(move('E', 'a')).toEqual({ focus: 'e' });
    expect(move('a', 'e')).toEqual({ focus: 'a' });
    expect(move('x', 'e')).toBeNull();
    expect(move('Tab', 'e')).toBeNull();
  });
});
