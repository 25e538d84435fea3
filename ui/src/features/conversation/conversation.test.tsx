import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import { AnswerFoot } from './components/AnswerFoot';
import { BranchWalker } from './components/BranchWalker';
import { readAskSearch, readConversationSearch } from './place';
import { sameReference } from './references';
import { messageOf } from './testing';
import { answerPlace, leafOf, questionPlace, turnsOf, withNewer } from './tree';
import { costText } from './answerFigures';

const user = (id: string, parent: string | null, run: string | null = `run-${id}`) =>
  messageOf({ id, role: 'user', parent_message_id: parent, run_id: run });
const agent = (id: string, parent: string, run = `run-${parent}`) =>
  messageOf({ id, role: 'agent', parent_message_id: parent, run_id: run });
const shape = (turns: ReturnType<typeof turnsOf>) =>
  turns.map(({ question, answer }) => `${question.id}>${answer?.id ?? '-'}`);

describe('the way through a conversation', () => {
  const tree = [
    user('q1', null),
    agent('a1', 'q1'),
    user('q2', 'a1'),
    agent('a2', 'q2'),
    user('q2b', 'a1'),
    agent('a2b', 'q2b'),
  ];

  test('leads to the newest message, and to any other that is asked for', () => {
    expect(shape(turnsOf(tree))).toEqual(['q1>a1', 'q2b>a2b']);
    expect(shape(turnsOf(tree, 'q2'))).toEqual(['q1>a1', 'q2>a2']);
    expect(shape(turnsOf(tree, 'q1'))).toEqual(['q1>a1', 'q2b>a2b']);
    expect(shape(turnsOf(tree, 'gone'))).toEqual(['q1>a1', 'q2b>a2b']);
    expect(turnsOf([])).toEqual([]);
  });

  test('knows what stands beside', () => {
    const [first, second] = turnsOf(tree);
    expect(second && questionPlace(second)).toEqual({ position: 2, total: 2, before: 'q2', after: undefined });
    expect(first && questionPlace(first).total).toBe(1);
  });

  test('stops at a question whose newest run has written nothing yet', () => {
    const again = [user('q1', null, 'run-2'), agent('a1', 'q1', 'run-1'), user('q2', 'a1'), agent('a2', 'q2')];
    const [turn] = turnsOf(again, 'q1');
    expect(turn).toMatchObject({ answer: null, openRun: 'run-2' });
    expect(turn && answerPlace(turn)).toEqual({ position: 2, total: 2, before: 'a1', after: undefined });
    const [older] = turnsOf(again, 'a1');
    expect(older && answerPlace(older)).toEqual({ position: 1, total: 2, before: undefined, after: 'q1' });
    expect(shape(turnsOf(again))).toEqual(['q1>a1', 'q2>a2']);
  });

  test('goes on after a question that was never answered', () => {
    const unanswered = [user('q1', null), user('q2', 'q1'), agent('a2', 'q2')];
    expect(shape(turnsOf(unanswered))).toEqual(['q1>-', 'q2>a2']);
    expect(leafOf(turnsOf(unanswered))).toBe('a2');
    expect(leafOf(turnsOf([user('q1', null)]))).toBe('q1');
    expect(leafOf([])).toBeNull();
  });

  test('tells a question back from an answer, before and after the reply', () => {
    const asked = [
      user('q1', null, 'r'),
      messageOf({
        id: 'back',
        role: 'agent',
        parent_message_id: 'q1',
        run_id: 'r',
        needs_clarification_message: 'Which year?',
      }),
    ];
    expect(turnsOf(asked)[0]).toMatchObject({ isAskingBack: true, openRun: null });
    const replied = [user('q1', null, 'r'), agent('back', 'q1', 'r'), user('reply', 'back', 'r')];
    expect(turnsOf(replied)).toMatchObject([{ isAskingBack: true }, { isAskingBack: false, openRun: 'r' }]);
    expect(turnsOf([...replied, agent('a1', 'reply', 'r')])[1]).toMatchObject({ isAskingBack: false, openRun: null });
  });

  test('survives messages that name each other as parents', () => {
    expect(turnsOf([user('a', 'b'), user('b', 'a')]).length).toBeGreaterThan(0);
  });

  test('takes a message once, in its newest state', () => {
    const [first] = tree;
    const newer = { ...(first ?? user('q1', null)), content: 'changed' };
    expect(withNewer(tree, newer)).toHaveLength(tree.length);
    expect(withNewer(tree, newer)[0]?.content).toBe('changed');
    expect(withNewer(tree, user('q9', 'a2b'))).toHaveLength(tree.length + 1);
  });
});

test('branches are walked one by one, and end', async () => {
  const walk = vi.fn();
  render(<BranchWalker of="answer" place={{ position: 2, total: 2, before: 'a1', after: undefined }} onWalk={walk} />);
  expect(screen.getByRole('group', { name: 'Version 2 of 2 of this answer' })).toHaveTextContent('2/2');
  expect(screen.getByRole('button', { name: 'Next answer' })).toBeDisabled();
  await userEvent.click(screen.getByRole('button', { name: 'Previous answer' }));
  expect(walk).toHaveBeenCalledWith('a1');
});

describe('how sure an answer is', () => {
  const question = user('q1', null);
  const told = {
    level: 'high',
    score: 0.874,
    supported: 4,
    statements: 4,
    unanswered_parts: 0,
    disagreements: 0,
    newest_source: '2025-03-01',
    summary: '4 of 4 statements supported · newest source March 2025',
  } as const;
  function foot(confidence: typeof told | null) {
    const answer = { ...agent('a1', 'q1'), confidence };
    const [turn] = turnsOf([question, answer]);
    if (turn) render(<AnswerFoot turn={turn} answer={answer} onCopy={vi.fn()} onWalk={vi.fn()} onRate={vi.fn()} />);
  }

  test('is said in words, with the number for those who point at them', () => {
    foot(told);
    const words = screen.getByText(/^High confidence · 4 of 4 statements supported · newest source March 2025/);
    expect(words).toHaveAttribute('title', 'Estimated probability that this answer is right: 87 %');
    expect(words).not.toHaveTextContent('%');
  });

  test('is not said where nobody knows', () => {
    foot(null);
    expect(screen.queryByText(/confidence/)).not.toBeInTheDocument();
    expect(screen.getByText('No cost')).toBeInTheDocument();
  });
});

test('what an answer cost is said in words', () => {
  expect(costText({ cost_cents: 0, input_tokens: 0, output_tokens: 0 })).toBe('No cost');
  expect(costText({ cost_cents: 0, input_tokens: 900, output_tokens: 100 })).toBe('1,000 tokens, no price set');
  expect(costText({ cost_cents: 0.42, input_tokens: 900, output_tokens: 100 })).toBe('0.42 ¢, 1,000 tokens');
  expect(costText({ cost_cents: 0.004, input_tokens: 1, output_tokens: 0 })).toBe('< 0.01 ¢, 1 token');
  expect(costText({ cost_cents: 250, input_tokens: 1, output_tokens: 1 })).toBe('$2.50, 2 tokens');
});

test('the address keeps the branch, and nothing that is none', () => {
  const at = '01990000-0000-7000-8000-000000000001';
  expect(readConversationSearch({ at, other: 1 })).toEqual({ at });
  expect(readConversationSearch({ at: '../x' })).toEqual({});
  expect(readAskSearch({ file: at, folder: '/x' })).toEqual({ file: at });
  expect(readAskSearch({ file: 'x', folder: '/a/b' })).toEqual({ folder: '/a/b' });
});

test('a thing is put in focus once', () => {
  const file = { reference_type: 'file', document_id: 'd', display_label: 'a' } as const;
  expect(sameReference(file, { ...file, display_label: 'b', folder_path: null })).toBe(true);
  expect(sameReference(file, { reference_type: 'folder', folder_path: '/x', display_label: 'x' })).toBe(false);
});
