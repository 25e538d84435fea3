import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { RightPaneSlot } from '@/components/RightPane';
import { readCheckSearch } from '@/features/checks/place';
import { CHECK_ID, checkOf, foundOf, NO_COUNTS, statedIn } from '@/features/checks/testing';
import { readReadingSearch } from '@/features/reading/place';
import { meQuery } from '@/lib/me';
import { serve } from '@/lib/testing';
import type { Me, Writable } from '@/lib/wire';
import { CheckedPage } from './CheckedPage';
import { CheckPage } from './CheckPage';

// What a passage looks like in its document is the reading pane's own matter.
vi.mock('./reading', () => ({
  ReadingBeside: ({ search }: { search: object }) => <p>reading {JSON.stringify(search)}</p>,
}));

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: vi.fn(), removeEventListener: vi.fn() }));
  vi.stubGlobal('scrollTo', vi.fn());
});
afterEach(() => vi.unstubAllGlobals());

function show(path: string, role: Me['role'] = 'member') {
  const root = createRootRoute();
  const shell = createRoute({
    getParentRoute: () => root,
    id: 'shell',
    component: () => (
      <RightPaneSlot value={document.body}>
        <Outlet />
      </RightPaneSlot>
    ),
  });
  const check = createRoute({ getParentRoute: () => shell, path: '/check', component: CheckPage });
  const checked = createRoute({
    getParentRoute: () => shell,
    path: '/check/$id',
    validateSearch: (raw: Record<string, unknown>) => ({ ...readCheckSearch(raw), ...readReadingSearch(raw) }),
    component: CheckedPage,
  });
  const router = createRouter({
    routeTree: root.addChildren([shell.addChildren([check, checked])]),
    history: createMemoryHistory({ initialEntries: [path] }),
  });
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  queries.setQueryData(meQuery.queryKey, { role } as Writable<Me>);
  render(
    <QueryClientProvider client={queries}>
      {/* The pages are the product's own, the routes around them are not. */}
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
  return router;
}

const FOLDERS = { '/api/v1/folders': { items: [], next_cursor: null } };
const LIST = '/api/v1/checks';
const ONE = `/api/v1/checks/${CHECK_ID}`;

describe('the page to check a text', () => {
  test('leads from a text to what was found on it', async () => {
    serve({
      ...FOLDERS,
      [LIST]: { items: [], next_cursor: null },
      [`POST ${LIST}`]: checkOf({ status: 'pending', total: null }),
      [ONE]: checkOf({ status: 'pending', total: null }),
    });
    const router = show('/check');
    expect(await screen.findByText('Nothing has been checked yet')).toBeVisible();
    await userEvent.type(screen.getByRole('textbox', { name: 'Text' }), 'It rose.');
    await userEvent.click(screen.getByRole('button', { name: 'Check' }));
    expect(await screen.findByText('Waiting for its turn')).toBeVisible();
    expect(router.state.location.pathname).toBe(`/check/${CHECK_ID}`);
  });

  test('lists earlier checks, and deletes one after asking', async () => {
    let items = [checkOf({ counts: { ...NO_COUNTS, supported: 3, contradicted: 1 } })];
    const asked = serve({
      ...FOLDERS,
      [LIST]: () => ({ items, next_cursor: null }),
      [`DELETE ${ONE}`]: () => {
        items = [];
        return null;
      },
    });
    show('/check');
    const row = await screen.findByRole('listitem');
    expect(within(row).getByRole('link', { name: 'Memo' })).toHaveAttribute('href', `/check/${CHECK_ID}`);
    expect(row).toHaveTextContent('1 contradicted · 3 supported');
    await userEvent.click(within(row).getByRole('button', { name: 'Delete the check of Memo' }));
    await userEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('Nothing has been checked yet')).toBeVisible();
    expect(asked.some(({ method, path }) => method === 'DELETE' && path === ONE)).toBe(true);
  });

  test('says when the list cannot be had, and lets a viewer only read', async () => {
    serve(FOLDERS);
    show('/check', 'viewer');
    expect(await screen.findByRole('alert')).toHaveTextContent('It is not there.');
    expect(screen.queryByRole('textbox')).not.toBeInTheDocument();
  });
});

describe('the page of a checked text', () => {
  const text = 'The count rose to 14. It fell in 2019.';
  const against = foundOf('f1', { stance: 'against', quote: 'It fell in 2020.' });
  const check = checkOf({
    text,
    total: 2,
    counts: { ...NO_COUNTS, supported: 1, contradicted: 1 },
    statements: [
      statedIn(text, 'The count rose to 14.', { number: 1 }),
      statedIn(text, 'It fell in 2019.', { number: 2, verdict: 'contradicted', citations: [against] }),
    ],
  });

  test('shows what was found on a statement, and its source beside', async () => {
    serve({ [ONE]: check });
    const router = show(`/check/${CHECK_ID}`);
    await userEvent.click(await screen.findByRole('button', { name: /It fell in 2019/ }));
    const passages = await screen.findByRole('region', { name: 'Says otherwise' });
    await userEvent.click(within(passages).getByRole('button', { name: /report\.pdf/ }));
    expect(await screen.findByText(/^reading/)).toHaveTextContent('"start":40');
    expect(router.state.location.search).toMatchObject({ statement: 2, doc: against.document_id, page: 6 });
    expect(screen.getByRole('button', { name: /It fell in 2019/ })).toHaveAttribute('aria-pressed', 'true');
  });

  test('keeps the verdict that it is narrowed to in its address', async () => {
    serve({ [ONE]: check });
    const router = show(`/check/${CHECK_ID}`);
    await userEvent.click(await screen.findByRole('button', { name: 'Contradicted 1' }));
    await vi.waitFor(() => expect(router.state.location.search).toEqual({ verdict: 'contradicted' }));
    expect(screen.queryByRole('button', { name: /The count rose/ })).not.toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'All 2' }));
    await vi.waitFor(() => expect(router.state.location.search).toEqual({}));
  });

  test('offers the text as Word, web page and JSON', async () => {
    serve({ [ONE]: check });
    show(`/check/${CHECK_ID}`);
    await userEvent.click(await screen.findByRole('button', { name: 'Download' }));
    expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual([
      'WordWith a comment on each statement',
      'Web pageOne file',
      'JSONFor programs',
    ]);
  });

  test('follows a check until it is done', async () => {
    let told = checkOf({ ...check, status: 'processing', progress: 0.5, counts: { ...NO_COUNTS, supported: 1 } });
    serve({ [ONE]: () => told });
    show(`/check/${CHECK_ID}`);
    expect(await screen.findByText('1 of 2 statements')).toBeVisible();
    told = check;
    await vi.waitFor(() => expect(screen.queryByRole('progressbar')).not.toBeInTheDocument(), { timeout: 5_000 });
  });

  test('says when there is no such check', async () => {
    serve({});
    show(`/check/${CHECK_ID}`);
    expect(await screen.findByText('This check cannot be shown')).toBeVisible();
  });
});
