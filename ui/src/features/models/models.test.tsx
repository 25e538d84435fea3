import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { Queries, refusal, serve } from '@/lib/testing';
import { ConnectDialog } from './components/ConnectDialog';
import { EndpointList } from './components/EndpointList';
import { FoundServers } from './components/FoundServers';
import { Installed } from './components/Installed';
import { InUse } from './components/InUse';
import { NoModelCard, NoModelLine } from './components/NoModel';
import { WithoutModel } from './components/WithoutModel';
import { endpointOf, INSTALL, modelOf, NOTHING, testOf, thinkingWith } from './testing';

const MODELS = '/api/v1/models';
const SERVER = { provider: 'ollama', base_url: 'http://127.0.0.1:11434/v1', endpoint_id: null } as const;
const FOUND = { items: [{ ...SERVER, models: [{ name: 'qwen3:8b', context_tokens: null }] }], looked_at: [] };
const PRESETS = [
  { provider: 'openai', title: 'OpenAI', base_url: 'https://api.openai.com/v1', needs_key: true, hint: 'A key.' },
  { provider: 'compatible', title: 'Another', base_url: null, needs_key: false, hint: 'Any.' },
];

function show(part: ReactNode) {
  return render(<Queries>{part}</Queries>);
}

/** For what leads elsewhere. */
async function showAt(part: ReactNode) {
  const root = createRootRoute();
  const home = createRoute({ getParentRoute: () => root, path: '/', component: () => part });
  const router = createRouter({
    routeTree: root.addChildren([home]),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  });
  await router.load();
  return show(<RouterProvider router={router as never} />);
}

async function connecting(answers: Readonly<Record<string, unknown>>) {
  const asked = serve({ [MODELS]: NOTHING, [`${MODELS}/providers`]: PRESETS, ...answers });
  const close = vi.fn();
  show(<ConnectDialog open onOpenChange={close} models={NOTHING} />);
  expect(await screen.findByLabelText('Address')).toHaveValue('https://api.openai.com/v1');
  return { asked, close };
}

describe('what was found on this machine', () => {
  test('is connected, added and used at one press', async () => {
    const asked = serve({
      [MODELS]: NOTHING,
      [`${MODELS}/found`]: FOUND,
      [`POST ${MODELS}/endpoints`]: endpointOf(),
      [`POST ${MODELS}`]: modelOf(),
    });
    show(<FoundServers models={NOTHING} />);
    await userEvent.click(await screen.findByRole('button', { name: 'Use for thinking: qwen3:8b' }));
    await waitFor(() => expect(asked.filter(({ method }) => method === 'POST')).toHaveLength(2));
    expect(asked.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([
      { provider: 'ollama', base_url: SERVER.base_url },
      { endpoint_id: 'e1', name: 'qwen3:8b', role: 'thinking' },
    ]);
  });

  test('is only added where its endpoint is known', async () => {
    const known = { ...FOUND, items: [{ ...FOUND.items[0], endpoint_id: 'e1' }] };
    const asked = serve({ [MODELS]: NOTHING, [`${MODELS}/found`]: known, [`POST ${MODELS}`]: modelOf() });
    show(<FoundServers models={{ ...NOTHING, endpoints: [endpointOf()] }} />);
    await userEvent.click(await screen.findByRole('button', { name: 'Use for thinking: qwen3:8b' }));
    await waitFor(() => expect(asked.some(({ method }) => method === 'POST')).toBe(true));
    expect(asked.filter(({ method }) => method === 'POST').map(({ path }) => path)).toEqual([MODELS]);
  });

  test('says why it cannot be used, and what to do', async () => {
    serve({
      [`${MODELS}/found`]: FOUND,
      [`POST ${MODELS}/endpoints`]: () => refusal(409, 'model_unreachable', 'Nothing answers. Start Ollama again.'),
    });
    show(<FoundServers models={NOTHING} />);
    await userEvent.click(await screen.findByRole('button', { name: 'Use for thinking: qwen3:8b' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Start Ollama again.');
  });

  test('names where was looked when there is nothing, and looks again', async () => {
    const found = vi.fn(() => ({ items: [], looked_at: ['http://127.0.0.1:1234/v1'] }));
    serve({ [`${MODELS}/found`]: found });
    show(<FoundServers models={NOTHING} />);
    expect(screen.getByRole('status', { name: 'Loading' })).toBeInTheDocument();
    expect(await screen.findByText(/Looked at http:\/\/127.0.0.1:1234\/v1/)).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Look again' }));
    await waitFor(() => expect(found).toHaveBeenCalledTimes(2));
  });

  test('can be asked for again when it failed', async () => {
    serve({ [`${MODELS}/found`]: () => refusal(500, 'internal', 'Something went wrong. Try again.') });
    show(<FoundServers models={NOTHING} />);
    expect(await screen.findByRole('alert')).toHaveTextContent('Try again.');
    expect(screen.getByRole('button', { name: 'Try again' })).toBeInTheDocument();
  });
});

describe('connecting a provider', () => {
  test('keeps what was typed when the key is refused, and says so beside it', async () => {
    await connecting({
      [`POST ${MODELS}/endpoints`]: () => refusal(409, 'model_key_refused', 'OpenAI refused the key. Paste it again.'),
    });
    await userEvent.type(screen.getByLabelText('Key'), 'wrong');
    await userEvent.click(screen.getByRole('button', { name: 'Connect' }));
    await waitFor(() => expect(screen.getByLabelText('Key')).toHaveAccessibleDescription(/refused the key/));
    expect(screen.getByLabelText('Key')).toHaveValue('wrong');
    expect(screen.getByLabelText('Key')).toHaveFocus();
  });

  test('brings the address of another provider', async () => {
    await connecting({});
    await userEvent.selectOptions(screen.getByLabelText('Provider'), 'Another');
    expect(screen.getByLabelText('Address')).toHaveValue('');
    await userEvent.click(screen.getByRole('button', { name: 'Connect' }));
    expect(screen.getByLabelText('Address')).toHaveAccessibleDescription('Enter the address of the endpoint.');
  });

  test('goes on to its models, and asks for prices where the server needs them', async () => {
    const add = vi.fn();
    add.mockReturnValueOnce(refusal(422, 'model_price_missing', 'Enter its prices.')).mockReturnValue(modelOf());
    const { asked, close } = await connecting({
      [`POST ${MODELS}/endpoints`]: endpointOf({ provider: 'openai' }),
      [`${MODELS}/endpoints/e1/offered`]: ['gpt-big', 'gpt-small'].map((name) => ({ name, context_tokens: 128_000 })),
      [`POST ${MODELS}`]: add,
    });
    await userEvent.type(screen.getByLabelText('Key'), 'right');
    await userEvent.click(screen.getByRole('button', { name: 'Connect' }));
    await userEvent.type(await screen.findByRole('searchbox', { name: 'Find a model' }), 'small');
    expect(screen.getAllByRole('radio')).toHaveLength(1);
    await userEvent.click(screen.getByRole('radio', { name: /gpt-small/ }));
    await userEvent.click(screen.getByRole('button', { name: 'Add and test' }));
    const price = await screen.findByLabelText('Price of reading');
    await waitFor(() => expect(price).toHaveAccessibleDescription('Enter its prices.'));
    await userEvent.click(screen.getByRole('button', { name: 'Add and test' }));
    expect(price).toHaveAccessibleDescription(/0 if it is free/);
    await userEvent.type(price, '0.15');
    await userEvent.type(screen.getByLabelText('Price of writing'), '0.60');
    await userEvent.click(screen.getByRole('button', { name: 'Add and test' }));
    await waitFor(() => expect(close).toHaveBeenCalledWith(false));
    expect(asked.findLast(({ path, method }) => path === MODELS && method === 'POST')?.body).toEqual({
      endpoint_id: 'e1',
      name: 'gpt-small',
      role: 'thinking',
      input_price: '0.15',
      output_price: '0.60',
    });
  });

  test('takes a name where the endpoint lists none', async () => {
    const { asked } = await connecting({
      [`POST ${MODELS}/endpoints`]: endpointOf(),
      [`${MODELS}/endpoints/e1/offered`]: [],
      [`POST ${MODELS}`]: modelOf(),
    });
    await userEvent.type(screen.getByLabelText('Key'), 'right');
    await userEvent.click(screen.getByRole('button', { name: 'Connect' }));
    await userEvent.type(await screen.findByLabelText('Name of the model'), 'deployment-1');
    await userEvent.click(screen.getByRole('button', { name: 'Add and test' }));
    await waitFor(() => expect(asked.findLast(({ method }) => method === 'POST')?.path).toBe(MODELS));
    expect(asked.findLast(({ method }) => method === 'POST')?.body).toMatchObject({ name: 'deployment-1' });
  });
});

describe('what is connected', () => {
  const shown = thinkingWith(modelOf({ test: testOf(['yes', 'yes', 'partly', 'no']) }));

  test('shows each ability with its sentence, and in full what is wanting', () => {
    show(<EndpointList models={shown} mayChange />);
    const abilities = within(screen.getByRole('list', { name: 'What qwen3:8b can do' })).getAllByRole('listitem');
    expect(abilities.map(({ textContent }) => textContent)).toContain('Tool calls: no. About tools.');
    expect(screen.getByText('First word after 0.4 s', { exact: false })).toBeInTheDocument();
    expect(screen.getByText('Structured replies:').parentElement).toHaveTextContent('About schema.');
  });

  test('is changed over the version that was seen', async () => {
    const asked = serve({ [MODELS]: shown, [`PATCH ${MODELS}/m1`]: modelOf() });
    show(<EndpointList models={shown} mayChange />);
    await userEvent.click(screen.getByRole('button', { name: 'More for qwen3:8b' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Use for notes and titles' }));
    await waitFor(() => expect(asked[0]?.body).toEqual({ role: 'small', expected_version: 3 }));
    await userEvent.click(screen.getByRole('button', { name: 'More for qwen3:8b' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Stop using it' }));
    await waitFor(() => expect(asked.at(-1)?.body).toEqual({ role: null, expected_version: 3 }));
  });

  test('is tested, given another key, and removed after a question', async () => {
    const asked = serve({
      [`POST ${MODELS}/m1/test`]: modelOf(),
      [`PATCH ${MODELS}/endpoints/e1`]: endpointOf(),
      [`DELETE ${MODELS}/endpoints/e1`]: null,
    });
    show(<EndpointList models={shown} mayChange />);
    await userEvent.click(screen.getByRole('button', { name: 'Test qwen3:8b' }));
    await userEvent.click(screen.getByRole('button', { name: 'Add key of Ollama' }));
    await userEvent.type(await screen.findByLabelText('New key'), 'k-2');
    await userEvent.click(screen.getByRole('button', { name: 'Save key' }));
    await waitFor(() => expect(screen.queryByLabelText('New key')).toBeNull());
    await userEvent.click(screen.getByRole('button', { name: 'Remove Ollama' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Remove provider' }));
    await waitFor(() => expect(asked.map(({ method }) => method)).toEqual(['POST', 'PATCH', 'DELETE']));
    expect(asked[1]?.body).toEqual({ api_key: 'k-2', expected_version: 2 });
  });

  test('is read only for who may not change it', () => {
    show(<EndpointList models={shown} mayChange={false} />);
    expect(screen.queryByRole('button')).toBeNull();
    expect(screen.queryByText(/no key/)).toBeNull();
  });

  test('tells how far a test is', () => {
    const going = testOf(['yes', 'running'], { finished_at: null, started_at: new Date().toISOString() });
    show(<EndpointList models={thinkingWith(modelOf({ test: going }))} mayChange />);
    expect(screen.getByRole('status')).toHaveTextContent('Testing: 6 of 7');
    expect(screen.getByRole('button', { name: 'Test qwen3:8b' })).toHaveAttribute('aria-disabled', 'true');
  });

  test('may be nothing yet', () => {
    show(<EndpointList models={NOTHING} mayChange />);
    expect(screen.getByText('Nothing is connected')).toBeInTheDocument();
  });
});

describe('what answers now', () => {
  test('says where it was chosen and what it can do', () => {
    show(<InUse models={thinkingWith(modelOf({ test: testOf() }))} />);
    expect(screen.getByText(/Chosen in this workspace/)).toBeInTheDocument();
    expect(screen.getByRole('list', { name: 'What qwen3:8b can do' })).toBeInTheDocument();
    expect(screen.getByText(/qwen3:8b does this too/)).toBeInTheDocument();
  });

  test('claims no more of a weak model than it does', () => {
    const shown = thinkingWith(modelOf({ test: testOf() }));
    show(<InUse models={{ ...shown, thinking: shown.thinking && { ...shown.thinking, shape: 'short' } }} />);
    expect(screen.getByText(/Phrases answers/)).toBeInTheDocument();
    expect(screen.getByText(/Made without a model/)).toBeInTheDocument();
    expect(screen.queryByText(/plans, reads/)).toBeNull();
  });

  test('is nothing but the sources without a model: admins are shown the ways, others whom to ask', () => {
    const { rerender } = render(<WithoutModel connect={<button type="button">Connect</button>} install={INSTALL} />);
    expect(screen.getByText(/No model. Answers are made of the sources’ own sentences./)).toBeInTheDocument();
    expect(screen.getByRole('list', { name: 'Ways to a model' }).children).toHaveLength(3);
    expect(screen.getByRole('textbox', { name: 'On the server' })).toHaveValue(INSTALL);
    rerender(<WithoutModel />);
    expect(screen.getByText(/Ask an administrator/)).toBeInTheDocument();
  });

  test('may be the installed model, with its problem', () => {
    const installed = { name: 'q', title: 'Qwen3 0.6B', licence: 'Apache-2.0', size_bytes: 640e6, state: 'failed' };
    show(
      <Installed installed={{ ...installed, problem: 'Not enough memory. Close other programs.' }} install={null} />,
    );
    expect(screen.getByText('failed')).toBeInTheDocument();
    expect(screen.getByRole('alert')).toHaveTextContent('Close other programs.');
  });
});

describe('without a model', () => {
  test('the first page says so until it is put away', async () => {
    localStorage.clear();
    serve({ [MODELS]: NOTHING });
    const { unmount } = await showAt(<NoModelCard isAdmin />);
    expect(await screen.findByRole('link', { name: 'Connect a model' })).toHaveAttribute('href', '/settings/models');
    await userEvent.click(screen.getByRole('button', { name: 'Do not show this again' }));
    expect(screen.queryByRole('complementary')).toBeNull();
    unmount();
    await showAt(<NoModelCard isAdmin />);
    expect(screen.queryByRole('complementary')).toBeNull();
    localStorage.clear();
  });

  test('others are told whom to ask', async () => {
    serve({ [MODELS]: NOTHING });
    await showAt(<NoModelCard isAdmin={false} />);
    expect(await screen.findByText(/Ask an administrator to connect one./)).toBeInTheDocument();
    expect(screen.queryByRole('link')).toBeNull();
  });

  test('an answer says so, with the way; or who would answer now', async () => {
    serve({ [MODELS]: NOTHING });
    const { unmount } = await showAt(<NoModelLine isCited isAdmin />);
    expect(await screen.findByRole('link', { name: 'Connect a model' })).toBeInTheDocument();
    expect(screen.getByText(/Made without a model, from the sources’ own sentences./)).toBeInTheDocument();
    unmount();
    serve({ [MODELS]: thinkingWith(modelOf()) });
    await showAt(<NoModelLine isCited={false} isAdmin />);
    expect(await screen.findByText(/Made without a model. Ask again to have qwen3:8b answer./)).toBeInTheDocument();
  });
});
