import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { reachability } from '@/lib/reachability';
import { ReachBanner } from './ReachBanner';

// Tests share their modules: one before may have ended out of reach.
beforeEach(() => reachability.report(true));
afterEach(() => {
  act(() => reachability.report(true));
  vi.unstubAllGlobals();
});

test('a person who cannot wait asks the server at once, and the notice goes when it answers', async () => {
  const asked = vi.fn(() => Promise.resolve(new Response()));
  vi.stubGlobal('fetch', asked);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ReachBanner />
    </QueryClientProvider>,
  );
  expect(screen.queryByRole('alert')).toBeNull();
  act(() => reachability.report(false));
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(asked).toHaveBeenCalledOnce();
  expect(screen.queryByRole('alert')).toBeNull();
});
