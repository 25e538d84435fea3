import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import { ApprovalCard } from './components/ApprovalCard';
import type { ApprovalView } from './view';

describe('a change to approve', () => {
  const CHANGE: ApprovalView = {
    id: 'a',
    tool: 'update_document',
    summary: 'Change /a.md: 1 lines added, 1 removed',
    diff: '--- /a.md\n+++ /a.md\n@@ -1,1 +1,1 @@\n-old\n+new',
    conflicts: ['Another run waits for approval to change this document.'],
    decision: 'pending',
    reason: null,
  };

  test('shows what goes and what comes, and what is in the way', async () => {
    const onDecide = vi.fn(() => Promise.resolve());
    render(<ApprovalCard approval={CHANGE} onDecide={onDecide} />);
    expect(screen.getByRole('region', { name: CHANGE.summary })).toBeInTheDocument();
    expect(screen.getByRole('group', { name: 'What changes' })).toHaveTextContent(
      '@@ -1,1 +1,1 @@Removed: -oldAdded: +new',
    );
    expect(screen.getByText(/Another run waits/)).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Approve' }));
    expect(onDecide).toHaveBeenCalledWith(null);
  });

  test('is rejected with a reason by the keyboard alone', async () => {
    const onDecide = vi.fn(() => Promise.resolve());
    render(<ApprovalCard approval={CHANGE} onDecide={onDecide} />);
    screen.getByRole('button', { name: 'Reject…' }).focus();
    await userEvent.keyboard('{Enter}Not now{Enter}');
    expect(onDecide).toHaveBeenCalledWith('Not now');
  });

  test('says what was decided, and offers nothing to who may not decide', () => {
    const { rerender } = render(<ApprovalCard approval={CHANGE} />);
    expect(screen.queryByRole('button')).not.toBeInTheDocument();
    rerender(<ApprovalCard approval={{ ...CHANGE, decision: 'rejected', reason: 'Not now' }} onDecide={vi.fn()} />);
    expect(screen.getByRole('status')).toHaveTextContent('Rejected: Not now');
    expect(screen.queryByRole('button')).not.toBeInTheDocument();
  });
});
