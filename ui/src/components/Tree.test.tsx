import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { TreeNode } from '@/lib/tree';
import { Tree } from './Tree';

const NODES: readonly TreeNode[] = [
  {
    id: 'top',
    label: 'All',
    children: [{ id: 'a', label: 'Reports', children: [{ id: 'b', label: '2025', children: [] }] }],
  },
];
const noIcon = () => null;

test('a tree is walked, opened and chosen from by the keyboard alone', async () => {
  const select = vi.fn();
  render(<Tree label="Folders" nodes={NODES} selected="top" onSelect={select} renderIcon={noIcon} />);
  await userEvent.tab();
  expect(screen.getByRole('treeitem', { name: 'All' })).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}');
  const reports = screen.getByRole('treeitem', { name: 'Reports' });
  expect(reports).toHaveFocus();
  expect(reports).toHaveAttribute('aria-expanded', 'false');
  await userEvent.keyboard('{ArrowRight}{ArrowRight}{Enter}');
  expect(select).toHaveBeenCalledWith('b');
  await userEvent.keyboard('{ArrowLeft}{ArrowLeft}');
  expect(screen.queryByRole('treeitem', { name: '2025' })).not.toBeInTheDocument();
});

test('a tree shows the way to what is chosen elsewhere', () => {
  const { rerender } = render(
    <Tree label="Folders" nodes={NODES} selected="top" onSelect={vi.fn()} renderIcon={noIcon} />,
  );
  expect(screen.queryByRole('treeitem', { name: '2025' })).not.toBeInTheDocument();
  rerender(<Tree label="Folders" nodes={NODES} selected="b" onSelect={vi.fn()} renderIcon={noIcon} />);
  expect(screen.getByRole('treeitem', { name: '2025' })).toHaveAttribute('aria-selected', 'true');
});
