import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { blocksOf } from '@/lib/markdownBlocks';
import { AnswerText } from './components/AnswerText';
import { SourceCarousel } from './components/SourceCarousel';
import { SourcesPanel } from './components/SourcesPanel';
import { answerWithSources } from './copy';
import { kindOfSource } from './kinds';
import { marksByIdentifier, marksOfCitations, spoken, StreamMarks } from './marks';
import { numberedFiles, readNotCited } from './sources';
import { citationOf, entityOf, fileOf } from './testing';
import { Queries, serve } from '@/lib/testing';

afterEach(() => vi.unstubAllGlobals());

const TAG = '<gml-inlinecitation identifier="aa.0-9"/>';
const OTHER = { document_id: 'd2', file_name: 'letter.docx', text_sha256: 't2', page: null, section: 'Letter' };
const CITATIONS = [
  citationOf(0),
  citationOf(1, { ...OTHER, check: 'failed', reason: 'The passage does not name 2019.' }),
  citationOf(2, { check: 'weak' }),
];
const MARKS = marksOfCitations(CITATIONS);

describe('the citations of a text', () => {
  test('are numbered by source, in the order of the text', () => {
    expect(MARKS.map((mark) => mark?.number)).toEqual([1, 2, 1]);
    expect(MARKS[0] && spoken(MARKS[0])).toBe('Source 1: report.pdf, page 6, verified');
  });

  test('are numbered alike while it is being written', () => {
    const references = {
      'aa.0-9': entityOf('aa.0-9', { document_id: 'd1', page: 6 }),
      'bb.0-9': entityOf('bb.0-9', { document_id: 'd2' }),
      'aa.9-12': entityOf('aa.9-12', { document_id: 'd1' }),
    };
    const marker = new StreamMarks();
    const [first] = marker.of(['aa.0-9'], references);
    expect(marker.of(['aa.0-9', 'bb.0-9', 'aa.9-12', 'cc.1-2'], references).map((mark) => mark?.number)).toEqual([
      1, 2, 1, 3,
    ]);
    expect(marker.of(['aa.0-9', 'bb.0-9', 'aa.9-12', 'cc.1-2', 'aa.0-9'], references)[0]).toBe(first);
    expect(marker.of(['bb.0-9'], references).map((mark) => mark?.number)).toEqual([1]);
  });

  test('may be a part of what was found in the same text', () => {
    const references = { 'aa.0-99': entityOf('aa.0-99', { document_id: 'd1', page: 6, char_start: 0, char_end: 99 }) };
    expect(new StreamMarks().of(['aa.20-44', 'aa.0-99'], references)).toMatchObject([
      { number: 1, name: 'aa.0-99.txt', page: null, passage: { doc: 'd1', start: 20, end: 44 } },
      { number: 1, page: 6, passage: { doc: 'd1', start: 0, end: 99 } },
    ]);
  });

  test('are found by what they cite, under the numbers that the text gives its sources', () => {
    const citations = [
      citationOf(0, { identifier: 'a' }),
      citationOf(1, { identifier: 'b', ...OTHER }),
      citationOf(2, { identifier: 'a', check: 'weak' }),
    ];
    const marks = marksByIdentifier(['b', 'a', 'a', 'a', 'gone'], citations, ({ document_id }) =>
      document_id === 'd2' ? 7 : 3,
    );
    expect(marks.map((mark) => mark && [mark.ordinal, mark.number, mark.citation?.id, mark.check])).toEqual([
      [0, 7, 'c1', 'verified'],
      [1, 3, 'c0', 'verified'],
      [2, 3, 'c2', 'weak'],
      [3, 3, 'c2', 'weak'],
      undefined,
    ]);
  });

  test('keep the number of a source that was deleted', () => {
    const gone = { document_id: null, file_status: 'deleted' as const };
    expect(
      marksOfCitations(CITATIONS.map((citation) => ({ ...citation, ...gone }))).map((mark) => mark?.number),
    ).toEqual([1, 2, 1]);
  });

  test('are copied with the sources below, and doubt is said', () => {
    expect(answerWithSources(`It rose. ${TAG} It fell. ${TAG} So. ${TAG}`, MARKS)).toBe(
      'It rose. [1] It fell. [2] So. [1]\n\nSources\n[1] report.pdf, Page 6: “The count rose to 14.”\n[1] report.pdf, Page 6: “The count rose to 14.” (in other words)\n[2] letter.docx, Letter: “The count rose to 14.” (not supported)\n',
    );
  });

  test('are copied without anything that is fetched where they are pasted', () => {
    const hostile =
      'A ![x](http://evil.example/x.png) \\<img src=x> <script>\n[r]: http://evil.example\n```\nif (a <b) x![0]\n```\n<svg>';
    expect(answerWithSources(hostile, [])).toBe(
      'A !&#91;x](http://evil.example/x.png) \\&lt;img src=x> &lt;script>\n&#91;r]: http://evil.example\n```\nif (a <b) x![0]\n```\n&lt;svg>',
    );
  });
});

function show(open = vi.fn()) {
  serve({});
  render(
    <AnswerText closed={blocksOf(`It rose. ${TAG} It fell. ${TAG}`)} marks={MARKS} onOpen={open} onReview={vi.fn()} />,
    { wrapper: Queries },
  );
  return open;
}

describe('an answer on the screen', () => {
  test('names each citation with its check, and opens it', async () => {
    const open = show();
    expect(screen.getAllByRole('button').map((chip) => chip.getAttribute('aria-label'))).toEqual([
      'Source 1: report.pdf, page 6, verified',
      'Source 2: letter.docx, not supported',
    ]);
    await userEvent.click(screen.getByRole('button', { name: /letter/ }));
    expect(open).toHaveBeenCalledWith(expect.objectContaining({ ordinal: 1 }));
  });

  test('shows what stands behind a citation when it is reached', async () => {
    show();
    await userEvent.hover(screen.getByRole('button', { name: /letter/ }));
    const card = await screen.findByRole('tooltip');
    expect(card).toHaveTextContent('The count rose to 14.');
    expect(card).toHaveTextContent('The passage does not name 2019.');
    expect(within(card).getByText('Not supported')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: /letter/ })).toHaveAttribute('aria-describedby', card.id);
  });
});

describe('the sources of an answer', () => {
  const files = [
    fileOf(CITATIONS.slice(1, 2), { file_id: null, status: 'deleted', file_name: 'letter.docx' }),
    fileOf([CITATIONS[0] ?? citationOf(0)]),
  ];
  const sources = numberedFiles(files, MARKS);

  test('stand under the numbers of the text', () => {
    expect(sources.map(({ number, file }) => [number, file.file_name])).toEqual([
      [1, 'report.pdf'],
      [2, 'letter.docx'],
    ]);
  });

  test('are opened from the row of cards, unless they are deleted', async () => {
    const open = vi.fn();
    render(<SourceCarousel sources={sources} onOpen={open} />);
    expect(screen.getAllByRole('listitem')[1]).toHaveTextContent('letter.docxDeleted');
    expect(screen.getAllByRole('button')).toHaveLength(1);
    await userEvent.click(screen.getByRole('button', { name: /report/ }));
    expect(open).toHaveBeenCalledOnce();
  });

  test('are counted by kind, with what was found and not cited', async () => {
    const others = readNotCited(
      [
        entityOf('x', { document_id: 'd1' }),
        entityOf('y', { document_id: 'd9' }, { mimetype: 'text/csv' }),
        entityOf('z', {}, { entity_type: 'SEARCH_PLAN' }),
      ],
      CITATIONS,
    );
    expect(others.map(({ key }) => key)).toEqual(['d9']);
    const gone = CITATIONS.map((citation) => ({ ...citation, document_id: null }));
    expect(readNotCited([entityOf('x', { document_id: 'd1' }, { content_artifact_id: 't1' })], gone)).toEqual([]);
    render(
      <SourcesPanel
        sources={sources}
        others={others}
        isWritten
        acts={{ open: vi.fn(), openDocument: vi.fn(), openEpisode: vi.fn() }}
      />,
    );
    expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual([
      'All 3',
      'Web 0',
      'Data 1',
      'Documents 2',
      'Generated 0',
    ]);
    await userEvent.click(screen.getByRole('tab', { name: /Data/ }));
    expect(screen.getByRole('region', { name: 'Found, not cited' })).toHaveTextContent('y.txt');
    expect(screen.queryByText('report.pdf')).not.toBeInTheDocument();
  });

  test('that were said and not read open in memory, cited or not', async () => {
    const told = { id: 'e1', group: 'team' };
    const [mark] = marksOfCitations([
      citationOf(0, { document_id: null, episode_id: 'e1', group_id: 'team', page: null, source_type: 'memory' }),
    ]);
    expect(mark).toMatchObject({ episode: told, passage: null, isGone: false });
    const others = readNotCited([entityOf('m', { episode_id: 'e1', path: 'team' })], CITATIONS);
    const openEpisode = vi.fn();
    render(
      <SourcesPanel
        sources={[]}
        others={others}
        isWritten
        acts={{ open: vi.fn(), openDocument: vi.fn(), openEpisode }}
      />,
    );
    expect(screen.getByRole('tab', { name: 'Memory 1' })).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'm.txt' }));
    expect(openEpisode).toHaveBeenCalledWith(told);
  });

  test('are of the kind that their origin or type says', () => {
    expect(kindOfSource({ source_type: 'web', mime_type: 'text/html' })).toBe('web');
    expect(kindOfSource({ source_type: 'blob_storage', mime_type: 'text/csv' })).toBe('data');
    expect(kindOfSource({ source_type: 'generated', mime_type: 'text/markdown' })).toBe('generated');
    expect(kindOfSource({ source_type: 'blob_storage', mime_type: 'application/pdf' })).toBe('documents');
  });
});
