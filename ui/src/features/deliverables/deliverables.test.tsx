import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import type { CitationProps } from '@/components/markdown/Markdown';
import { chunksOf } from '@/lib/gml/splitter';
import { coloured, fitted } from './charts';
import { useWanted } from './choice';
import { generationOf } from './components/DeliverableCard';
import { DeliverableSelector } from './components/DeliverableSelector';
import { GenerationOverlay } from './components/GenerationOverlay';
import { Outline } from './components/Outline';
import { ReportRenderer } from './components/ReportRenderer';
import { elapsed, factsOf, phaseOf } from './kinds';
import { outlineOf, sectionsDone } from './outline';
import { readDeliverableSearch, readListSearch } from './place';
import { deliverableOf } from './testing';
import { piecesOf } from './wordDiff';

// The drawing itself is looked at in a real browser; fetching it here would cost seconds.
vi.mock('./components/report/VegaChart', () => ({
  default: ({ label, onFailure }: { label: string; onFailure: () => void }) => (
    <button type="button" onClick={onFailure}>{`drawing: ${label}`}</button>
  ),
}));

function Chip({ ordinal }: CitationProps) {
  return <button type="button">cited {ordinal}</button>;
}

const CHART =
  '{"data":{"values":[{"label":"2023","value":9,"shown":"9"},{"label":"2024","value":14,"shown":"14"}]},"mark":"bar","encoding":{"x":{"field":"label"}}}'.replaceAll(
    '"',
    '&quot;',
  );
const GML = `<h1>Birds</h1>
<gml-infoblockmetric name="Pairs" value="14" period="2024" entity="North">14 pairs<gml-inlinecitation identifier="a.0-9"/></gml-infoblockmetric>
<gml-infoblockmetric name="Grebes" value="9">nine</gml-infoblockmetric>
<h2>Findings</h2>
<p>The heron <strong>returned</strong>.<gml-inlinecitation identifier="b.0-9"/> <a href="javascript:alert(1)">here</a> <a href="https://example.org/x">there</a></p>
<gml-row><gml-primarycolumn><h3>Why</h3><p>The sluice.</p></gml-primarycolumn><gml-sidebarcolumn><p>Beside.</p></gml-sidebarcolumn></gml-row>
<gml-chartcontainer caption="Pairs a year" alt="Nine, then fourteen">${CHART}</gml-chartcontainer>
<gml-gradientinsightbox title="In short">More birds.</gml-gradientinsightbox>
<gml-table caption="Counts"><table><thead><tr><th>Bird</th><th>Pairs</th></tr></thead><tbody><tr><td>Heron</td><td>14</td></tr><tr><td>Grebe</td><td>9</td></tr></tbody></table></gml-table>
<gml-blockquote>It came back.</gml-blockquote>
<h2>Sources</h2>
<gml-sources/>`;

function shown(gml = GML) {
  return render(<ReportRenderer chunks={chunksOf(gml).chunks} Citation={Chip} sources={<p>the list</p>} />);
}

describe('a report', () => {
  test('shows its figures side by side, each with what it rests on', () => {
    shown();
    const [pairs, grebes] = screen.getAllByRole('definition');
    expect(pairs).toHaveTextContent('14 pairscited 0');
    expect(grebes).toHaveTextContent('nine');
    expect(screen.getAllByRole('term').map((term) => term.textContent)).toEqual(['PairsNorth · 2024', 'Grebes']);
  });

  test('has headings in order, a note, a quote, and its sources where it lists them', () => {
    shown();
    expect(screen.getAllByRole('heading').map(({ tagName, textContent }) => `${tagName} ${textContent}`)).toEqual([
      'H1 Birds',
      'H2 Findings',
      'H3 Why',
      'H2 Sources',
    ]);
    expect(screen.getByRole('note')).toHaveTextContent('In shortMore birds.');
    expect(screen.getByText('It came back.').closest('blockquote')).not.toBeNull();
    expect(screen.getByText('the list')).toBeVisible();
    expect(screen.getByRole('button', { name: 'cited 1' })).toBeVisible();
  });

  test('links where it is safe to, and nowhere else', () => {
    shown();
    expect(
      screen
        .getAllByRole('link')
        .map((link) => [link.textContent, link.getAttribute('href'), link.getAttribute('rel')]),
    ).toEqual([['there', 'https://example.org/x', 'noopener noreferrer']]);
  });

  test('sets figures of a table to the right, under a caption', () => {
    shown();
    const table = within(screen.getByRole('region', { name: 'Counts' }));
    expect(table.getByRole('cell', { name: '14' })).toHaveAttribute('align', 'right');
    expect(table.getByRole('cell', { name: 'Heron' })).not.toHaveAttribute('align');
  });

  test('gives the data of a chart as a table', async () => {
    shown();
    await userEvent.click(screen.getByText('Data of this chart'));
    const data = within(screen.getByRole('region', { name: 'Data of the chart' }));
    expect(data.getAllByRole('row').map((row) => row.textContent)).toEqual(['OfValue', '20239', '202414']);
    expect(screen.getByText('Pairs a year')).toBeVisible();
  });

  test('shows that table in place of a chart that cannot be drawn', async () => {
    shown();
    await userEvent.click(await screen.findByRole('button', { name: 'drawing: Nine, then fourteen' }));
    expect(screen.getByRole('region', { name: 'Data of the chart' })).toBeVisible();
    expect(screen.queryByText('Data of this chart')).toBeNull();
  });

  test('leaves its title to the page where that has it', () => {
    render(<ReportRenderer chunks={chunksOf(GML).chunks} Citation={Chip} isTitled />);
    expect(screen.queryByRole('heading', { level: 1 })).toBeNull();
    expect(screen.getByRole('heading', { level: 2, name: 'Findings' })).toBeVisible();
  });

  test('never becomes an element that it names', () => {
    const { container } = shown(
      '<p><script>alert(1)</script><img src=x onerror=alert(1)><iframe src="//x"></iframe><form id=main></form>words</p>',
    );
    expect(container.querySelector('script, img, iframe, form, [id=main]')).toBeNull();
    expect(container).toHaveTextContent('alert(1)words');
  });

  test('is jumped through by its contents', async () => {
    const { chunks } = chunksOf(GML);
    render(
      <main>
        <Outline entries={outlineOf(chunks)} />
        <ReportRenderer chunks={chunks} Citation={Chip} />
      </main>,
    );
    HTMLElement.prototype.scrollTo = vi.fn() as never;
    await userEvent.click(screen.getByRole('button', { name: 'Why' }));
    expect(screen.getByRole('heading', { name: 'Why' })).toHaveFocus();
    expect(sectionsDone(chunks)).toBe(2);
  });
});

describe('a chart', () => {
  test('is as wide as its frame, in the colours of the theme', () => {
    const spec = {
      width: 560,
      data: { values: [{ color: '#1b1c1e' }] },
      layer: [{ mark: { type: 'text', color: '#1B1C1E' } }, { mark: { type: 'bar', color: 'red' } }],
    };
    expect(fitted(spec)).toMatchObject({ width: 'container' });
    expect(fitted({ ...spec, width: { step: 20 } })).toMatchObject({ width: { step: 20 } });
    expect(coloured(spec, (property) => `var ${property}`)).toMatchObject({
      data: { values: [{ color: '#1b1c1e' }] },
      layer: [{ mark: { color: 'var --ink' } }, { mark: { color: 'red' } }],
    });
  });
});

describe('what is being made', () => {
  test('says how far it is, and can be stopped', async () => {
    const stop = vi.fn();
    const making = generationOf(
      deliverableOf({
        status: 'in_progress',
        phase: 'pdf',
        progress: 0.4,
        sections_done: 1,
        started_at: new Date(Date.now() - 65_000).toISOString(),
      }),
    );
    render(<GenerationOverlay generation={making} onCancel={stop} />);
    expect(screen.getByRole('status')).toHaveTextContent('Setting the PDF');
    expect(screen.getByRole('region')).toHaveTextContent('1 of 3 sections · 1,240 words · 1:05');
    expect(screen.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '40');
    await userEvent.click(screen.getByRole('button', { name: 'Stop making: Birds of the lake' }));
    expect(stop).toHaveBeenCalledOnce();
  });

  test('is described in words', () => {
    expect(phaseOf({ status: 'pending', phase: '' })).toBe('Waiting for its turn');
    expect(phaseOf({ status: 'in_progress', phase: 'something new' })).toBe('something new');
    expect(factsOf(deliverableOf({}))).toBe('Version 2 · 1,240 words');
    expect([elapsed(-5), elapsed(4_200), elapsed(125_000)]).toEqual(['0 s', '4 s', '2:05']);
  });
});

function Selecting() {
  const [wanted, setWanted] = useWanted();
  return <DeliverableSelector value={wanted} onChange={setWanted} />;
}

test('what to make is chosen by the keyboard, and not kept for another conversation', async () => {
  const { unmount } = render(<Selecting />);
  screen.getByRole('button', { name: 'What to make: Answer' }).focus();
  await userEvent.keyboard('{Enter}{ArrowDown}{Enter}');
  expect(await screen.findByRole('button', { name: 'What to make: Report' })).toBeVisible();
  unmount();
  render(<Selecting />);
  expect(screen.getByRole('button', { name: 'What to make: Answer' })).toBeVisible();
});

test('an address keeps what makes sense', () => {
  const id = '018f0000-0000-7000-8000-000000000001';
  expect(readListSearch({ kind: 'REPORT', status: 'lost' })).toEqual({ kind: 'REPORT' });
  expect(readDeliverableSearch({ tab: 'versions', than: id })).toEqual({ than: id });
  expect(readDeliverableSearch({ tab: 'x', than: '../../' })).toEqual({});
});

test('what changed is shown word by word, and nothing is lost', () => {
  const pieces = piecesOf('The heron returned in 2023.', 'The heron came in 2023 again.');
  expect(
    pieces
      .filter(({ kind }) => kind !== 'added')
      .map(({ text }) => text)
      .join(''),
  ).toBe('The heron returned in 2023.');
  expect(
    pieces
      .filter(({ kind }) => kind !== 'removed')
      .map(({ text }) => text)
      .join(''),
  ).toBe('The heron came in 2023 again.');
  expect(pieces).toContainEqual({ kind: 'removed', text: 'returned ' });
  expect(piecesOf('a '.repeat(600), 'b '.repeat(600))).toHaveLength(2);
});
