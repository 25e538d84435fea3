import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Queries, serve } from '@/lib/testing';
import { CheckedText } from './components/CheckedText';
import { CheckForm } from './components/CheckForm';
import { CheckProgress } from './components/CheckProgress';
import { StatementPanel } from './components/StatementPanel';
import { VerdictFilter } from './components/VerdictFilter';
import { piecesOf } from './pieces';
import { readCheckSearch } from './place';
import { checkOf, foundOf, NO_COUNTS, statedIn } from './testing';
import { countsText, progressText } from './words';

afterEach(() => vi.unstubAllGlobals());

const TEXT = '😀 Memo\n\nDer Umsatz stieg auf 14. It fell in 2019, and rose later.';
const ROSE = statedIn(TEXT, 'Der Umsatz stieg auf 14.', { number: 1 });
const FELL = statedIn(TEXT, 'It fell in 2019, and rose later.', { number: 2, verdict: 'contradicted' });
const LATER = statedIn(TEXT, 'rose later', { number: 3, kind: 'clause', verdict: 'partly' });
const shape = (text: string, statements: Parameters<typeof piecesOf>[1]) =>
  piecesOf(text, statements).map(
    ({ text: words, statement, isLast }) => `${statement?.number ?? '-'}${isLast ? '' : '…'} ${words}`,
  );

describe('the pieces of a checked text', () => {
  test('are its statements and what stands between, whatever characters come before', () => {
    expect(shape(TEXT, [FELL, ROSE])).toEqual([
      '-… 😀 Memo\n\n',
      '1 Der Umsatz stieg auf 14.',
      '-  ',
      '2 It fell in 2019, and rose later.',
    ]);
  });

  test('show the shorter of two statements that lie over each other', () => {
    expect(shape(TEXT, [FELL, LATER]).slice(1)).toEqual(['2… It fell in 2019, and ', '3 rose later', '2 .']);
  });

  test('are the whole text, also without statements and with some that are out of place', () => {
    expect(shape('Plain.', [])).toEqual(['- Plain.']);
    expect(shape('Plain.', [{ ...ROSE, char_start: 3, char_end: 99 }])).toEqual(['- Plain.']);
    expect(piecesOf('', [])).toEqual([]);
    const all = piecesOf(TEXT, [ROSE, FELL, LATER]);
    expect(all.map(({ text }) => text).join('')).toBe(TEXT);
  });
});

describe('a checked text on the screen', () => {
  test('says the verdict of each statement with a sign and a word', () => {
    render(
      <CheckedText
        check={{ text: TEXT, statements: [ROSE, FELL] }}
        shown={undefined}
        selected={2}
        onSelect={() => undefined}
      />,
    );
    const [first, second] = screen.getAllByRole('button');
    expect(first).toHaveAccessibleName(/^Der Umsatz stieg auf 14\. ?\(Supported\)$/);
    expect(first).toHaveTextContent('✓');
    expect(second).toHaveAccessibleName(/^It fell in 2019, and rose later\. ?\(Contradicted\)$/);
    expect(second).toHaveTextContent('≠');
    expect(second).toHaveAttribute('aria-pressed', 'true');
  });

  test('opens a statement by pointer and by key', async () => {
    const select = vi.fn();
    render(
      <CheckedText
        check={{ text: TEXT, statements: [ROSE, FELL] }}
        shown={undefined}
        selected={undefined}
        onSelect={select}
      />,
    );
    await userEvent.click(screen.getByRole('button', { name: /fell/ }));
    expect(select).toHaveBeenLastCalledWith(FELL);
    await userEvent.tab({ shift: true });
    await userEvent.keyboard('{Enter}');
    expect(select).toHaveBeenLastCalledWith(ROSE);
  });

  test('can be narrowed to one verdict; the rest stays readable', () => {
    render(
      <CheckedText
        check={{ text: TEXT, statements: [ROSE, FELL] }}
        shown="contradicted"
        selected={undefined}
        onSelect={() => undefined}
      />,
    );
    expect(screen.getAllByRole('button')).toHaveLength(1);
    expect(screen.getByRole('group', { name: 'The checked text' })).toHaveTextContent('Der Umsatz stieg auf 14.');
  });
});

test('verdicts are chosen by name, with how many there are of each', async () => {
  const show = vi.fn();
  render(<VerdictFilter counts={{ ...NO_COUNTS, supported: 9, partly: 2 }} shown="partly" onShow={show} />);
  expect(screen.getAllByRole('button').map((one) => one.textContent)).toEqual([
    'All 11',
    '≠Contradicted 0',
    '✕Not supported 0',
    '≈Partly supported 2',
    '?Unchecked 0',
    '✓Supported 9',
  ]);
  expect(screen.getByRole('button', { name: /Contradicted/ })).toBeDisabled();
  expect(screen.getByRole('button', { name: /Partly/ })).toHaveAttribute('aria-pressed', 'true');
  await userEvent.click(screen.getByRole('button', { name: 'Supported 9' }));
  expect(show).toHaveBeenLastCalledWith('supported');
  await userEvent.click(screen.getByRole('button', { name: /Partly/ }));
  expect(show).toHaveBeenLastCalledWith(undefined);
});

describe('what was found on a statement', () => {
  const operand = { citation_id: 'f1', document_id: 'd7', text_sha256: 't', written: '6', char_start: 3, char_end: 4 };
  const statement = {
    ...FELL,
    reason: 'The report says 2020.',
    judged_by: 'model' as const,
    calculations: [
      {
        figure: '14',
        formula: '6 + 8',
        operands: [operand, { ...operand, written: '8', char_start: 9, char_end: 10 }],
      },
    ],
    citations: [
      foundOf('f1'),
      foundOf('f2', { stance: 'against', file_name: 'letter.docx', page: null, quote: 'It fell in 2020.' }),
      foundOf('f3', { stance: 'cited', file_name: 'gone.pdf', document_id: null, quote: '' }),
    ],
  };

  test('has the verdict, the reason and the passages for and against', async () => {
    const open = vi.fn();
    render(<StatementPanel statement={statement} onOpen={open} />);
    expect(screen.getByText('Contradicted')).toBeVisible();
    expect(screen.getByText('judged by the model')).toBeVisible();
    expect(screen.getByText('The report says 2020.')).toBeVisible();
    const against = screen.getByRole('region', { name: 'Says otherwise' });
    expect(against).toHaveTextContent('letter.docxIt fell in 2020.');
    await userEvent.click(within(screen.getByRole('region', { name: 'Says so' })).getByRole('button'));
    expect(open).toHaveBeenCalledWith({ doc: foundOf('f1').document_id, start: 40, end: 61, page: 6 });
    const cited = screen.getByRole('region', { name: 'Cited, and says neither' });
    expect(cited).toHaveTextContent('Deleted');
    expect(within(cited).queryByRole('button')).not.toBeInTheDocument();
  });

  test('leads from each number of a calculation to its place', async () => {
    const open = vi.fn();
    render(<StatementPanel statement={statement} onOpen={open} />);
    await userEvent.click(screen.getByRole('button', { name: 'Open 8 in its source' }));
    expect(open).toHaveBeenCalledWith({ doc: 'd7', start: 9, end: 10, page: null });
  });

  test('says when there is nothing, and when nothing is chosen', () => {
    const { rerender } = render(<StatementPanel statement={ROSE} onOpen={vi.fn()} />);
    expect(screen.getByText('No passage was found that speaks of this.')).toBeVisible();
    rerender(<StatementPanel statement={null} onOpen={vi.fn()} />);
    expect(screen.getByText('Choose a statement')).toBeVisible();
  });
});

describe('starting a check', () => {
  const folders = [{ id: 'f1', path: '/Contracts' }] as unknown as Parameters<typeof CheckForm>[0]['folders'];
  const started = { 'POST /api/v1/checks': checkOf({ status: 'pending' }) };

  test('sends what was pasted, against the folder that was chosen', async () => {
    const asked = serve(started);
    const begun = vi.fn();
    render(<CheckForm folders={folders} onStarted={begun} />, { wrapper: Queries });
    expect(screen.getByRole('button', { name: 'Check' })).toBeDisabled();
    await userEvent.type(screen.getByRole('textbox', { name: 'Text' }), 'It rose to 14.');
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Against' }), '/Contracts');
    await userEvent.click(screen.getByRole('button', { name: 'Check' }));
    await vi.waitFor(() => expect(begun).toHaveBeenCalledWith(checkOf().id));
    expect(asked.at(-1)).toMatchObject({
      path: '/api/v1/checks',
      body: { text: 'It rose to 14.', context: { folder_id: 'f1' } },
    });
  });

  test('takes a document of the library in place of a text', async () => {
    const memo = { id: 'd1', name: 'memo.docx', path: '/memo.docx', mime_type: 'text/plain' };
    const asked = serve({ ...started, '/api/v1/documents': { items: [memo], next_cursor: null } });
    const begun = vi.fn();
    render(<CheckForm folders={[]} onStarted={begun} />, { wrapper: Queries });
    await userEvent.click(screen.getByRole('button', { name: 'Choose a document' }));
    await userEvent.click(await screen.findByRole('button', { name: /memo\.docx/ }));
    expect(screen.queryByRole('textbox')).not.toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Check' }));
    await vi.waitFor(() => expect(begun).toHaveBeenCalled());
    expect(asked.at(-1)?.body).toEqual({ document_id: 'd1' });
  });

  test('takes a file, and gives it back when it was the wrong one', async () => {
    render(<CheckForm folders={[]} onStarted={vi.fn()} />, { wrapper: Queries });
    await userEvent.upload(screen.getByLabelText('File to check'), new File(['x'], 'draft.docx'));
    expect(screen.getByText('draft.docx')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Check' })).toBeEnabled();
    await userEvent.click(screen.getByRole('button', { name: 'Do not check draft.docx' }));
    expect(screen.getByRole('textbox', { name: 'Text' })).toBeVisible();
  });

  test('shows why the server refuses', async () => {
    serve({});
    render(<CheckForm folders={[]} onStarted={vi.fn()} />, { wrapper: Queries });
    await userEvent.type(screen.getByRole('textbox', { name: 'Text' }), 'x');
    await userEvent.click(screen.getByRole('button', { name: 'Check' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('It is not there.');
  });
});

test('a check at work says how far it is, and can be stopped', async () => {
  const running = checkOf({ status: 'processing', progress: 0.15, total: 80, counts: { ...NO_COUNTS, supported: 12 } });
  const asked = serve({ [`POST /api/v1/checks/${running.id}/cancel`]: running });
  render(<CheckProgress check={running} mayChange />, { wrapper: Queries });
  expect(screen.getByRole('status')).toHaveTextContent('12 of 80 statements');
  expect(screen.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '15');
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(asked).toHaveLength(1);
});

test('what a check found is said in words, the worst first', () => {
  expect(countsText({ ...NO_COUNTS, supported: 60, contradicted: 2 })).toBe('2 contradicted · 60 supported');
  expect(progressText(checkOf({ status: 'pending', total: null }))).toBe('Waiting for its turn');
  expect(progressText(checkOf({ status: 'processing', total: null }))).toBe('Reading the text');
});

test('the address keeps the statement and the verdict, and nothing that is none', () => {
  expect(readCheckSearch({ statement: 3, verdict: 'partly', other: 1 })).toEqual({ statement: 3, verdict: 'partly' });
  expect(readCheckSearch({ statement: '3', verdict: 'toString' })).toEqual({});
});
