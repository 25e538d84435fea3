import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { blocksOf } from '@/lib/markdownBlocks';
import { Queries, serve } from '@/lib/testing';
import { AnswerText } from './components/AnswerText';
import { FigureLedger } from './components/FigureLedger';
import { StatementList } from './components/StatementList';
import { marksOfCitations } from './marks';
import { othersText } from './statements';
import { citationOf, judged, readAt } from './testing';

const TAG = '<gml-inlinecitation identifier="aa.0-9"/>';
const SUM = {
  figure: '203.7',
  formula: '94.3 + 61.2 + 48.2',
  operands: [readAt('c0', '94.3', 10), readAt('c0', '61.2', 20), readAt('c1', '48.2', 30)],
};
const CITATIONS = [citationOf(0, { page: 6 }), citationOf(1, { document_id: 'd2', file_name: 'letter.docx' })];
const MARKS = marksOfCitations(CITATIONS);
const STATEMENTS = [
  judged(1, {
    text: 'Sales came to 203.7 million.',
    verdict: 'partly',
    reason: 'The month is not named.',
    judged_by: 'model',
    citation_ids: ['c0', 'c1'],
    carried_by: ['c0', 'c1'],
    calculations: [SUM],
  }),
  judged(2, { text: 'Nothing is said of 2019.', kind: 'absence', verdict: 'unchecked', judged_by: 'nothing' }),
];
const PATH = '/api/v1/messages/m/statements';

const { scrollTo } = HTMLElement.prototype;

afterEach(() => {
  vi.unstubAllGlobals();
  HTMLElement.prototype.scrollTo = scrollTo;
  Reflect.deleteProperty(Range.prototype, 'getBoundingClientRect');
});

async function card(open = vi.fn()) {
  serve({ [PATH]: { message_id: 'm', items: STATEMENTS } });
  const text = `Sales came to 203.7 million. ${TAG} ${TAG}`;
  render(<AnswerText closed={blocksOf(text)} marks={MARKS} onOpen={open} />, { wrapper: Queries });
  await userEvent.hover(screen.getByRole('button', { name: /report/ }));
  const shown = await screen.findByRole('tooltip');
  await within(shown).findByText('Partly supported');
  return shown;
}

function list(open = vi.fn()) {
  render(<StatementList messageId="m" marks={MARKS} onOpen={open} />, { wrapper: Queries });
  return open;
}

describe('the card of a citation', () => {
  test('says what was made of the whole statement, by whom, and what carries it together', async () => {
    const shown = await card();
    expect(shown).toHaveTextContent('judged by the model · together with [2]');
    expect(within(shown).getAllByText('The month is not named.')).toHaveLength(1);
  });

  test('opens each number of a calculation where it was read', async () => {
    const open = vi.fn();
    const shown = await card(open);
    expect(shown).toHaveTextContent('94.3 + 61.2 + 48.2 = 203.7');
    await userEvent.click(within(shown).getByRole('button', { name: 'Open 61.2 in its source' }));
    expect(open.mock.lastCall?.[0].citation).toMatchObject({ id: 'c0', char_start: 20, char_end: 24, page: null });
    await userEvent.click(within(shown).getByRole('button', { name: 'Open 48.2 in its source' }));
    expect(open.mock.lastCall?.[0].citation).toMatchObject({ id: 'c1', document_id: 'd2', char_start: 30 });
  });
});

test('a citation that carries nothing says which ones do', () => {
  const [first = citationOf(0)] = CITATIONS;
  const statement = judged(1, { citation_ids: ['c0', 'c1'], carried_by: ['c1'] });
  expect(othersText(statement, first, MARKS)).toBe('carried by [2], not by this one');
  expect(othersText({ ...statement, carried_by: ['c0'] }, first, MARKS)).toBeNull();
  expect(othersText({ ...statement, carried_by: [] }, first, MARKS)).toBe('carried by no citation');
});

describe('the list of statements', () => {
  test('has each with its verdict, and a quiet label where no source is needed', async () => {
    serve({ [PATH]: { message_id: 'm', items: STATEMENTS } });
    list();
    const [first, second] = await screen.findAllByRole('listitem');
    expect(first).toHaveTextContent('≈Partly supportedjudged by the model · [1] [2]The month is not named.');
    expect(second).toHaveTextContent('Nothing is said of 2019.Not found in the sources');
    expect(second).not.toHaveTextContent('Unchecked');
  });

  test('brings a statement into view, also one without a citation', async () => {
    serve({ [PATH]: { message_id: 'm', items: STATEMENTS } });
    Range.prototype.getBoundingClientRect = () => new DOMRect(0, 900, 10, 10);
    const scrolled = vi.fn();
    HTMLElement.prototype.scrollTo = scrolled as never;
    render(
      <main>
        <div data-message="m">
          <div data-answer>
            <p>Sales rose.</p>
            <p>
              Nothing <em>is said</em>
              <button data-citation="0">1</button> of 2019.
            </p>
          </div>
        </div>
      </main>,
    );
    list();
    await userEvent.click(await screen.findByRole('button', { name: /Nothing is said of 2019/ }));
    expect(getSelection()?.toString().replaceAll(/\s+/g, ' ')).toContain('Nothing is said');
    expect(scrolled).toHaveBeenCalledOnce();
  });

  test('leads from a calculation to its places by the keyboard', async () => {
    serve({ [PATH]: { message_id: 'm', items: STATEMENTS } });
    const open = list();
    await screen.findAllByRole('listitem');
    await userEvent.tab();
    await userEvent.tab();
    expect(screen.getByRole('button', { name: 'Open 94.3 in its source' })).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    expect(open).toHaveBeenCalledWith(expect.objectContaining({ id: 'c0', char_start: 10 }));
  });

  test('says when there is none, and when it cannot be had', async () => {
    serve({ [PATH]: { message_id: 'm', items: [] } });
    list();
    expect(await screen.findByText('This answer states nothing that could be checked.')).toBeVisible();
    serve({});
    list();
    expect(await screen.findByRole('alert')).toHaveTextContent('It is not there.');
  });
});

test('the ledger of figures shows a calculation with the ways to its numbers', async () => {
  const figure = {
    written: '203.7',
    sentence: 'Sales came to 203.7.',
    sentence_start: 0,
    sentence_end: 20,
    status: 'calculated',
    calculation: SUM.formula,
    sources: SUM.operands,
  };
  serve({ '/api/v1/messages/m/figures': { message_id: 'm', items: [figure] } });
  const open = vi.fn();
  render(<FigureLedger messageId="m" marks={MARKS} onOpen={open} />, { wrapper: Queries });
  const row = await screen.findByRole('listitem');
  expect(row).toHaveTextContent('94.3 + 61.2 + 48.2 = 203.7');
  await userEvent.click(within(row).getByRole('button', { name: 'Open 94.3 in its source' }));
  expect(open).toHaveBeenCalledWith(expect.objectContaining({ id: 'c0', char_start: 10, char_end: 14 }));
});
