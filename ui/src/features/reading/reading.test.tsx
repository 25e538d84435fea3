import { render, screen } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import type { DocumentVersion, ReadingBlock } from '@/lib/wire';
import { BlockView } from './components/BlockView';
import { cellsOf, columnName, cornerOf } from './grid';
import { numbered, paired, sentenceOf } from './history';
import { overlaps, piecesOf } from './marks';
import { readReadingSearch, withoutReading } from './place';
import { keepInView } from './showing';
import { nextZoom, scaleFor } from './zoom';

const ID = '01990000-0000-7000-8000-000000000001';
const NOWHERE = {
  page: null,
  slide: null,
  sheet: null,
  cells: null,
  paragraph: null,
  line: null,
  part: null,
  box: null,
};

function blockOf(text: string, more: Partial<ReadingBlock> = {}): ReadingBlock {
  return { start: 0, end: text.length, kind: 'paragraph', level: 0, path: [], place: NOWHERE, text, ...more };
}

const marked = (text: string, at: number, span: { start: number; end: number } | null) =>
  piecesOf(text, at, span)
    .map(({ text: piece, isMarked }) => (isMarked ? `[${piece}]` : piece))
    .join('|');

function versionOf(more: Partial<DocumentVersion>): DocumentVersion {
  return {
    version: 2,
    name: 'b.txt',
    path: '/x/b.txt',
    sha256: '',
    file_size: 1,
    mime_type: 'text/plain',
    change: 'content',
    edit_by: 'user',
    created_by: null,
    created_at: '2026-11-15T12:00:00Z',
    ...more,
  };
}

/** A scroller whose mark stands so many pixels below its upper edge, as long as nothing is scrolled. */
function scrolling(top: () => number): HTMLElement {
  const scroller = window.document.createElement('div');
  scroller.innerHTML = '<mark data-passage="3-9">here</mark>';
  scroller.scrollTo = (options?: ScrollToOptions | number) => {
    scroller.scrollTop = typeof options === 'object' ? (options.top ?? 0) : 0;
  };
  const mark = scroller.querySelector('mark') as HTMLElement;
  mark.getBoundingClientRect = () => new DOMRect(0, top() - scroller.scrollTop, 1, 1);
  return scroller;
}

describe('the address of a passage', () => {
  test('comes out as it went in', () => {
    const place = { doc: ID, start: 10, end: 20, page: 3, version: 2, view: 'text' } as const;
    expect(readReadingSearch({ ...place })).toEqual(place);
  });

  test('leaves out what makes no sense', () => {
    expect(readReadingSearch({ doc: ID, start: 20, end: 10, page: 0, version: 'x', view: 'all' })).toEqual({ doc: ID });
    expect(readReadingSearch({ doc: 'javascript:', page: 3 })).toEqual({});
  });

  test('is taken out of the rest', () => {
    expect(withoutReading({ q: 'word', doc: ID, start: 1, end: 2, page: 3 })).toEqual({ q: 'word' });
  });
});

describe('the marked part of a text', () => {
  test.each([
    [{ start: 2, end: 4 }, 0, 'ab|[cd]|ef'],
    [{ start: 0, end: 99 }, 0, '[abcdef]'],
    [{ start: 0, end: 12 }, 10, '[ab]|cdef'],
    [{ start: 20, end: 30 }, 0, 'abcdef'],
    [null, 0, 'abcdef'],
  ])('%o of a text that begins at %i is %s', (span, at, expected) => {
    expect(marked('abcdef', at, span)).toBe(expected);
  });

  test('falls on whole characters', () => {
    expect(marked('😀b😀', 5, { start: 6, end: 7 })).toBe('😀|[b]|😀');
  });

  test('touches a block or not', () => {
    expect(overlaps({ start: 0, end: 5 }, { start: 4, end: 9 })).toBe(true);
    expect(overlaps({ start: 0, end: 5 }, { start: 5, end: 9 })).toBe(false);
    expect(overlaps({ start: 0, end: 5 }, null)).toBe(false);
  });
});

describe('a table', () => {
  test('gives each cell its place in the text', () => {
    const text = 'a\tbb\nccc\td';
    const cells = cellsOf(text, 100).flat();
    expect(cells.map((cell) => text.slice(cell.at - 100, cell.at - 100 + cell.text.length))).toEqual([
      'a',
      'bb',
      'ccc',
      'd',
    ]);
  });

  test('has the letters and numbers of its sheet', () => {
    expect(cornerOf('C7:F40')).toEqual({ column: 3, row: 7 });
    expect(cornerOf('AA1')).toEqual({ column: 27, row: 1 });
    expect(cornerOf(null)).toBeNull();
    expect([1, 26, 27, 702, 703].map(columnName)).toEqual(['A', 'Z', 'AA', 'ZZ', 'AAA']);
  });

  test('marks the cells of the passage', () => {
    const block = blockOf('Food\tCalories\nLeaves\t50', {
      kind: 'table',
      place: { ...NOWHERE, sheet: 'Diet', cells: 'B2:C3' },
    });
    const { container } = render(<BlockView block={block} span={{ start: 14, end: 23 }} />);
    expect([...container.querySelectorAll('mark')].map(({ textContent }) => textContent)).toEqual(['Leaves', '50']);
    expect(screen.getByRole('columnheader', { name: 'B' })).toBeVisible();
    expect(screen.getByRole('rowheader', { name: '3' })).toBeVisible();
    expect(screen.getByRole('region', { name: 'Table Diet B2:C3' })).toBeVisible();
  });
});

describe('the marked passage', () => {
  test('is kept in view while what stands above it is measured', () => {
    vi.useFakeTimers({ toFake: ['requestAnimationFrame', 'cancelAnimationFrame'] });
    let top = 300;
    const scroller = scrolling(() => top);
    keepInView(scroller, { start: 3, end: 9 });
    expect(scroller.scrollTop).toBe(300);
    top = 4000;
    vi.advanceTimersToNextFrame();
    expect(scroller.scrollTop).toBe(4000);
    vi.useRealTimers();
  });

  test('is left alone once it has been stopped', () => {
    vi.useFakeTimers({ toFake: ['requestAnimationFrame', 'cancelAnimationFrame'] });
    let top = 300;
    const scroller = scrolling(() => top);
    keepInView(scroller, { start: 3, end: 9 })();
    top = 4000;
    vi.advanceTimersToNextFrame();
    expect(scroller.scrollTop).toBe(300);
    vi.useRealTimers();
  });
});

describe('a block', () => {
  test('is shown by its kind, and its text only ever as text', () => {
    const { container } = render(
      <BlockView block={blockOf('<img src=x onerror=alert(1)>', { kind: 'heading', level: 1 })} span={null} />,
    );
    expect(screen.getByRole('heading', { level: 3 })).toHaveTextContent('<img src=x onerror=alert(1)>');
    expect(container.querySelector('img')).toBeNull();
  });

  test('of a kind this screen does not know is a paragraph', () => {
    const { container } = render(<BlockView block={blockOf('new', { kind: 'hologram' })} span={null} />);
    expect(container.querySelector('p')).toHaveTextContent('new');
  });
});

describe('the zoom', () => {
  test('goes in steps and stays within them', () => {
    expect([nextZoom(1, 1), nextZoom(1, -1), nextZoom(3, 1), nextZoom(0.5, -1)]).toEqual([1.25, 0.75, 3, 0.5]);
  });

  test('asks for pictures fine enough, in few sizes', () => {
    expect(scaleFor(600, 600, 1)).toBe(1);
    expect(scaleFor(600, 600, 2)).toBe(2);
    expect(scaleFor(3000, 600, 2)).toBe(4);
  });
});

describe('a version', () => {
  test.each([
    ['created', 'added the file'],
    ['content', 'changed the content'],
    ['renamed', 'renamed it from “a.txt” to “b.txt”'],
    ['moved', 'moved it to /x'],
    ['restored', 'restored an earlier version'],
  ] as const)('%s reads “%s”', (change, sentence) => {
    expect(sentenceOf(versionOf({ change }), versionOf({ name: 'a.txt' }))).toBe(sentence);
  });

  const HUNK = {
    before_start: 4,
    after_start: 7,
    lines: [
      { kind: 'same', text: 'one' },
      { kind: 'removed', text: 'two' },
      { kind: 'removed', text: 'three' },
      { kind: 'added', text: 'zwei' },
      { kind: 'same', text: 'four' },
    ],
  } as const;

  test('is compared with line numbers of both', () => {
    expect(numbered(HUNK).map(({ before, after }) => [before, after])).toEqual([
      [4, 7],
      [5, null],
      [6, null],
      [null, 8],
      [7, 9],
    ]);
  });

  test('is compared side by side, changes beside each other', () => {
    expect(paired(numbered(HUNK)).map(({ left, right }) => `${left?.text ?? '-'}|${right?.text ?? '-'}`)).toEqual([
      'one|one',
      'two|zwei',
      'three|-',
      'four|four',
    ]);
  });
});
