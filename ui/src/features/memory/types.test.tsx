import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { MemoryGroup } from '@/lib/memoryWire';
import { TypesDialog } from './components/TypesDialog';
import { declaredOf, draftOf } from './types';

const GROUP: MemoryGroup = {
  group_id: 'team',
  episodes: 2,
  queued: 0,
  failed: 0,
  updated_at: null,
  keep_content: true,
  dead_letters: [],
  type_schema: {
    node_types: [{ name: 'person', description: 'Somebody', attributes: ['role', 'birthday'] }],
    relation_types: [{ name: 'owns', description: '', functional: true, sources: ['person'], targets: [] }],
    excluded_types: ['entity'],
  },
};

function show(group: MemoryGroup, onDone = vi.fn()) {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <TypesDialog group={group} onDone={onDone} />
    </QueryClientProvider>,
  );
  return onDone;
}

/** Answers every request alike; what was sent is kept. */
function serve(status: number, body: unknown): unknown[] {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    sent.push(await request.json());
    return Response.json(body, { status });
  });
  return sent;
}

afterEach(() => vi.unstubAllGlobals());

describe("a group's own types", () => {
  test('come back from the form as they went in, without rows that were not filled in', () => {
    const draft = draftOf(GROUP);
    expect(declaredOf(draft)).toEqual({ ...GROUP.type_schema, keep_content: true });
    const more = {
      ...draft,
      nodes: [...draft.nodes, { key: 9, name: ' ', description: '', attributes: 'x' }],
      excluded: 'entity, , entity',
    };
    expect(declaredOf(more)).toEqual({ ...GROUP.type_schema, keep_content: true });
  });

  test('are edited and saved at once, with whether words are kept', async () => {
    const sent = serve(200, GROUP);
    const onDone = show(GROUP);
    fireEvent.click(screen.getByText('Add a node type'));
    fireEvent.change(within(screen.getByRole('group', { name: 'Node type 2' })).getByLabelText('Name'), {
      target: { value: 'product' },
    });
    fireEvent.click(screen.getByLabelText('Remove relation type 1'));
    fireEvent.click(screen.getByLabelText(/Keep what was said/));
    fireEvent.click(screen.getByText('Save'));
    await vi.waitFor(() => expect(onDone).toHaveBeenCalledOnce(), { timeout: 4_000 });
    expect(sent[0]).toEqual({
      node_types: [...GROUP.type_schema.node_types, { name: 'product', description: '', attributes: [] }],
      relation_types: [],
      excluded_types: ['entity'],
      keep_content: false,
    });
  });

  test('that do not fit together are refused in the words of the server, and nothing is lost', async () => {
    serve(422, {
      code: 'schema_inconsistent',
      title: 'Refused',
      detail: 'An excluded type is not among the node types.',
    });
    const onDone = show(GROUP);
    fireEvent.click(screen.getByText('Save'));
    expect(
      await screen.findByText('An excluded type is not among the node types.', {}, { timeout: 4_000 }),
    ).toBeVisible();
    expect(onDone).not.toHaveBeenCalled();
    expect(screen.getByLabelText('Left out')).toHaveValue('entity');
  });
});
