import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { Queries, refusal, serve } from '@/lib/testing';
import { EndpointList } from './components/EndpointList';
import { InUse } from './components/InUse';
import { endpointOf, modelOf, NOTHING, testOf, thinkingWith } from './testing';

const MODELS = '/api/v1/models';

function show(part: ReactNode) {
  return render(<Queries>{part}</Queries>);
}

describe('a model whose test failed, or left something open', () => {
  test('says that a test has failed, and why, once; nothing is at work any more', () => {
    const problem = 'It cannot be reached. Start its server.';
    const failed = testOf(['no', ...Array<'untried'>(6).fill('untried')], { problem, shape: null, first_word_s: null });
    const abilities = failed.abilities.map((each, at) => (at === 0 ? { ...each, detail: problem } : each));
    show(<EndpointList models={thinkingWith(modelOf({ test: { ...failed, abilities } }))} mayChange />);
    expect(screen.getByRole('alert')).toHaveTextContent(problem);
    expect(screen.getByText(/The test failed/)).toBeInTheDocument();
    expect(screen.queryByText('being tried', { exact: false })).toBeNull();
    expect(screen.getByText(/131k tokens to read \(assumed\)/)).toBeInTheDocument();
  });

  test('says what was found out of its length, or that it is assumed', () => {
    const known = modelOf({ test: testOf() });
    const { unmount } = show(<EndpointList models={thinkingWith(known)} mayChange />);
    expect(screen.getByText(/131k tokens to read,/)).toBeInTheDocument();
    unmount();
    const unknown = modelOf({ test: testOf(['yes', 'yes', 'yes', 'yes', 'unknown']) });
    show(<EndpointList models={thinkingWith(unknown)} mayChange />);
    expect(screen.getByText(/131k tokens to read \(assumed\)/)).toBeInTheDocument();
    expect(screen.getByText('Long texts:').parentElement).toHaveTextContent('About length.');
  });

  test('is used after a failed test only by who insists', async () => {
    const answers = vi.fn();
    answers
      .mockReturnValueOnce(refusal(409, 'model_test_failed', 'It failed its last test: nobody answers.'))
      .mockReturnValue(modelOf({ role: 'thinking' }));
    const asked = serve({ [MODELS]: NOTHING, [`PATCH ${MODELS}/m1`]: answers });
    show(<EndpointList models={{ ...NOTHING, endpoints: [endpointOf({ models: [modelOf()] })] }} mayChange />);
    await userEvent.click(screen.getByRole('button', { name: 'Use for thinking: qwen3:8b' }));
    expect(await screen.findByRole('alertdialog')).toHaveTextContent('nobody answers');
    await userEvent.click(screen.getByRole('button', { name: 'Use it all the same' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    const changes = asked.filter(({ method }) => method === 'PATCH').map(({ body }) => body);
    expect(changes).toEqual([
      { role: 'thinking', expected_version: 3 },
      { role: 'thinking', expected_version: 3, even_if_failed: true },
    ]);
  });

  test('is not said to answer when it failed its test', () => {
    const models = thinkingWith(modelOf({ test: testOf() }));
    const problem = 'It cannot be reached.';
    show(<InUse models={{ ...models, thinking: models.thinking && { ...models.thinking, problem } }} />);
    expect(screen.getByRole('status')).toHaveTextContent('It may not answer');
    expect(screen.getByRole('status')).toHaveTextContent('answers are made without a model');
  });
});
