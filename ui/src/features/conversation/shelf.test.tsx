import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { render, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Conversation } from '@/lib/conversationWire';
import { conversationsQuery, type Whose } from './api';
import { ConversationShelf } from './components/ConversationShelf';

const BLANK = {
  user_id: 'me',
  user_name: 'Ada Lovelace',
  title: null,
  last_message_preview: '',
  is_pinned: false,
  is_archived: false,
  is_shared: false,
  has_async_entities_in_progress: false,
};

function conversationOf(id: string, fields: Partial<Conversation>): Conversation {
  return { ...BLANK, id, ...fields } as Conversation;
}

/** The shelf as it stands once the server has answered. */
async function showShelf(lists: Partial<Record<Whose, readonly Conversation[]>>): Promise<void> {
  const queries = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  for (const whose of ['own', 'shared'] as const) {
    queries.setQueryData(conversationsQuery({ q: '', whose }).queryKey, {
      pages: [{ items: lists[whose] ?? [], next_cursor: null }],
      pageParams: [null],
    } as never);
  }
  const root = createRootRoute();
  const routes = [
    createRoute({ getParentRoute: () => root, path: '/', component: ConversationShelf }),
    createRoute({ getParentRoute: () => root, path: '/c/$id' }),
  ];
  const router = createRouter({
    routeTree: root.addChildren(routes),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  });
  render(
    <QueryClientProvider client={queries}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
  await screen.findByRole('region', { name: 'Conversations' });
}

test('what others share stands apart, with who shares it, and not how they keep it', async () => {
  const own = [conversationOf('c1', { title: 'Copper', is_shared: true })];
  const shared = [
    conversationOf('c2', {
      title: 'Tin',
      user_id: 'grace',
      user_name: 'Grace Hopper',
      is_shared: true,
      is_pinned: true,
    }),
    conversationOf('c3', { title: 'Zinc', user_id: 'left', user_name: null, is_shared: true }),
  ];
  await showShelf({ own, shared });
  const mine = within(screen.getByRole('region', { name: 'Conversations' }));
  expect(mine.getAllByRole('link')).toHaveLength(1);
  expect(mine.getByRole('img', { name: 'Shared' })).toBeVisible();
  const theirs = within(screen.getByRole('region', { name: 'Shared with the workspace' }));
  expect(theirs.getByRole('link', { name: /Tin.*by Grace Hopper/ })).toHaveAttribute('href', '/c/c2');
  expect(theirs.getByRole('link', { name: /Zinc.*by a former member/ })).toBeVisible();
  expect(theirs.queryByRole('img')).toBeNull();
});

test('where nobody shares anything, there is no place for it', async () => {
  await showShelf({ own: [conversationOf('c1', { title: 'Copper' })] });
  expect(screen.queryByRole('region', { name: 'Shared with the workspace' })).toBeNull();
  expect(screen.queryByRole('textbox')).toBeNull();
});

test('many shared ones can be searched, also by someone who has none', async () => {
  await showShelf({
    shared: ['Tin', 'Zinc', 'Lead', 'Iron', 'Gold'].map((title, index) =>
      conversationOf(`c${index}`, { title, user_id: 'grace' }),
    ),
  });
  expect(screen.getByRole('textbox', { name: 'Search conversations' })).toBeVisible();
  expect(screen.getByText('None yet. Ask something.')).toBeVisible();
});
