import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { FactPane } from './components/FactPane';
import { ForgetDialog } from './components/ForgetDialog';
import { NodeTable } from './components/NodeTable';
import { TimeBar } from './components/TimeBar';
import { correctionOf, faultsOf } from './correction';
import { chosenGroup } from './groups';
import { quoted } from './quote';
import { factOf, graphOf, nodeOf } from './testing';
import { aftermathOf, groupName, lossesOf, sayingOf, speakerOf, valueText } from './words';

const SAID = {
  id: 'e1',
  group_id: 'team',
  name: '',
  source: 'message',
  source_description: '',
  role_type: 'user',
  role: 'Kim',
  content: 'Kim(user): Well, Ada works for Acme.',
  valid_at: '2024-05-01T09:00:00Z',
  created_at: '2024-05-01T09:00:00Z',
};

/** A busy machine is given time. */
const PATIENCE = { timeout: 4_000 };
const listed = (group_id: string, updated_at: string | null) => ({
  group_id,
  updated_at,
  episodes: 1,
  queued: 0,
  failed: 0,
});

/** Answers by the end of the path; what was asked is kept. */
function serve(answers: Readonly<Record<string, unknown>>): string[] {
  const asked: string[] = [];
  vi.stubGlobal('fetch', (request: Request) => {
    const { pathname, search } = new URL(request.url);
    asked.push(`${request.method} ${pathname}${search}`);
    const found = Object.entries(answers).find(([end]) => pathname.endsWith(end));
    return Promise.resolve(Response.json(found?.[1] ?? {}));
  });
  return asked;
}

function show(part: ReactNode) {
  return render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      {part}
    </QueryClientProvider>,
  );
}

afterEach(() => vi.unstubAllGlobals());

describe('a fact with its proof', () => {
  const fact = factOf({
    invalid_at: '2025-03-01T09:00:00Z',
    expired_at: '2025-03-02T09:00:00Z',
    end_reason: 'superseded',
    ended_by: { fact_id: 'f2', episode_id: 'e2' },
  });
  const proof = [
    { id: 'e1', valid_at: SAID.valid_at, quote: 'Ada works for Acme.', quote_start: 17, quote_end: 36, says: 'holds' },
  ];
  const next = factOf({ id: 'f2', statement: 'Ada works for Globex.', valid_at: '2025-03-01T09:00:00Z' });

  test('shows who said it, the very words, what ended it and why', async () => {
    serve({ '/facts/f1': { ...fact, proof, history: [fact, next] }, '/episodes/e1': { ...SAID, facts: [] } });
    const open = vi.fn();
    show(<FactPane id="f1" moment={{}} acts={{ open }} onClose={vi.fn()} />);
    const list = await screen.findByRole('list', { name: 'Proof' }, PATIENCE);
    expect(await within(list).findByRole('button', { name: 'Kim' }, PATIENCE)).toBeVisible();
    expect(within(list).getByText('Ada works for Acme.')).toHaveClass('evidence');
    expect(list).toHaveTextContent('Well, Ada works');
    expect(list).not.toHaveTextContent('(user)');
    expect(screen.getByText('Something newer took its place.')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Open the episode that said so' }));
    expect(open).toHaveBeenCalledWith({ episode: 'e2' });
    expect(screen.queryByRole('button', { name: 'Change this fact' })).not.toBeInTheDocument();
  });

  test('says what is not kept', () => {
    expect(quoted(null, { quote: null, quote_start: null, quote_end: null })).toEqual({
      before: '',
      quote: null,
      after: '',
    });
    expect(quoted({ ...SAID, content: 'other words' }, { quote: 'Ada', quote_start: 0, quote_end: 3 })).toEqual({
      before: '',
      quote: 'Ada',
      after: '',
    });
    const long = quoted(
      { ...SAID, content: `${'x'.repeat(200)}Ada${'y'.repeat(200)}` },
      { quote: 'Ada', quote_start: 200, quote_end: 203 },
    );
    expect([long.before.length, long.after.length]).toEqual([91, 91]);
  });
});

describe('forgetting', () => {
  test('says exactly what will be gone before it is, and asks once', async () => {
    const loss = { episodes: 1, facts: 2, nodes: 0, reopened: 1, copies: 3 };
    const asked = serve({ '/episodes/e1': loss });
    const gone = vi.fn();
    show(<ForgetDialog target={{ kind: 'episode', id: 'e1', episode: SAID }} onDone={vi.fn()} onGone={gone} />);
    const lines = within(await screen.findByRole('list', { name: 'Gone for good' }, PATIENCE)).getAllByRole('listitem');
    expect(lines.map((line) => line.textContent)).toEqual([
      '1 episode, with every word said in it',
      '2 facts that nothing else proves',
    ]);
    expect(screen.getByText('1 fact that it had ended holds again.')).toBeVisible();
    expect(screen.getByText('3 answers cite it and keep their own copy of the words.')).toBeVisible();
    expect(asked).toEqual(['DELETE /api/v1/memory/episodes/e1?dry_run=true']);
    await userEvent.click(screen.getByRole('button', { name: 'Forget' }));
    await vi.waitFor(() => expect(gone).toHaveBeenCalledOnce(), PATIENCE);
    expect(asked[1]).toBe('DELETE /api/v1/memory/episodes/e1?dry_run=false');
  });

  test('of nothing takes nothing', () => {
    const none = { episodes: 0, facts: 0, nodes: 0, reopened: 0, copies: 0 };
    expect([lossesOf(none), aftermathOf(none)]).toEqual([[], []]);
  });
});

describe('the time bar', () => {
  const extent = {
    first: '2024-01-01T00:00:00Z',
    last: '2025-01-01T00:00:00Z',
    buckets: [{ at: '2024-01-01T00:00:00Z', count: 1 }],
  };

  test('asks for a moment at rest only, and leaps before the previous change', async () => {
    const asked = serve({ '/timeline': { items: [{ at: '2025-01-01T00:00:00Z' }], next_cursor: null } });
    const moments = vi.fn();
    show(<TimeBar group="team" extent={extent} moment={{ known_at: '2026-01-01T00:00:00.000Z' }} onMoment={moments} />);
    const slider = screen.getByRole('slider');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    for (const value of [900, 700, 500]) fireEvent.change(slider, { target: { value } });
    expect(slider).toHaveValue('500');
    expect(moments).not.toHaveBeenCalled();
    vi.runAllTimers();
    vi.useRealTimers();
    expect(moments).toHaveBeenCalledOnce();
    expect(moments.mock.lastCall?.[0]).toMatchObject({
      known_at: '2026-01-01T00:00:00.000Z',
      as_of: expect.stringMatching(/^2025-/),
    });
    await userEvent.click(screen.getByRole('button', { name: 'Before the previous change' }));
    await vi.waitFor(
      () => expect(moments.mock.lastCall?.[0]).toMatchObject({ as_of: '2024-12-31T23:59:59.000Z' }),
      PATIENCE,
    );
    expect(asked[0]).toContain('newest_first=true');
    await userEvent.click(screen.getByRole('button', { name: 'As known now' }));
    expect(moments).toHaveBeenLastCalledWith({});
  });
});

describe('the list of nodes', () => {
  const graph = graphOf(
    [nodeOf('Ada', { degree: 2, labels: ['person'] }), nodeOf('Zoe'), nodeOf('Bo')],
    ['Ada-Bo', 'Ada-Zoe'],
  );

  test('says what the picture shows, and leads to nodes and facts', async () => {
    const [node, fact] = [vi.fn(), vi.fn()];
    render(<NodeTable graph={graph} communities={[]} selected="Bo" onNode={node} onFact={fact} />);
    expect(screen.getAllByRole('row')).toHaveLength(4);
    await userEvent.click(screen.getByRole('button', { name: 'Zoe' }));
    expect(node).toHaveBeenCalledWith('Zoe');
    await userEvent.click(screen.getAllByRole('button', { name: /Ada knows Bo/ })[0] as HTMLElement);
    expect(fact).toHaveBeenCalledWith('Ada-Bo');
    await userEvent.click(screen.getByRole('button', { name: 'By number of facts' }));
    expect(screen.getAllByRole('rowheader').map((cell) => cell.textContent)).toEqual(['Adaperson', 'Bo', 'Zoe']);
    await userEvent.type(screen.getByRole('textbox', { name: 'Filter the list' }), 'person');
    expect(screen.getByRole('status')).toHaveTextContent('1 node');
  });
});

describe('a correction', () => {
  test('tells only what was changed', () => {
    const fact = factOf({ valid_at: null });
    expect(
      correctionOf(fact, { statement: fact.statement, valid_at: '', invalid_at: '2025-01-01T00:00', reason: ' left ' }),
    ).toEqual({ reason: 'left', invalid_at: new Date('2025-01-01T00:00').toISOString() });
    expect(
      correctionOf(factOf({ invalid_at: '2025-01-01T00:00:00Z', valid_at: null }), {
        statement: 'New.',
        valid_at: '',
        invalid_at: '',
      }),
    ).toEqual({ reason: '', statement: 'New.', invalid_at: null });
  });

  test('needs a statement, an order of time, and a change', () => {
    const fact = factOf({ valid_at: null });
    expect(faultsOf(fact, { statement: ' ' })).toHaveProperty('statement');
    expect(
      faultsOf(fact, { statement: 'x', valid_at: '2025-01-01T00:00', invalid_at: '2024-01-01T00:00' }),
    ).toHaveProperty('invalid_at');
    expect(faultsOf(fact, { statement: fact.statement, valid_at: '', invalid_at: '' })).toHaveProperty('statement');
    expect(faultsOf(fact, { statement: 'Other.', valid_at: '', invalid_at: '' })).toEqual({});
  });
});

test('groups, speakers and values read as people say them', () => {
  expect([groupName('user:1'), groupName('team')]).toEqual(['Your conversations', 'team']);
  expect(speakerOf({ ...SAID, role: '' })).toBe('A person');
  expect(speakerOf({ ...SAID, role: '', source: 'correction' })).toBe('A correction by hand');
  expect(sayingOf(SAID)).toBe('Well, Ada works for Acme.');
  expect(valueText(['a', { b: 1 }, null])).toBe('a, {"b":1}, null');
  expect(chosenGroup([listed('a', null), listed('b', '2025-01-01T00:00:00Z')], 'me')).toBe('b');
  expect(chosenGroup([], 'me')).toBe('user:me');
});
