import { describe, expect, test, vi } from 'vitest';
import { ApiProblem } from '@/lib/problem';
import { each } from './change';
import { entriesOf, nameOf, summaryOf } from './entries';
import { documentParameters, readLibrarySearch } from './filters';
import { inside, mayHold, TOP, totalsOf, treeOf, wayTo } from './folders';
import { atMostEvery, withNews } from './live';
import { all, extend, kept, NONE, toggle } from './selection';
import { standingOf } from './status';
import { documentOf, folderOf } from './testing';

const ID = '01990000-0000-7000-8000-000000000001';
const FOLDERS = [
  folderOf('b'),
  folderOf('a'),
  folderOf('a1', 'a'),
  folderOf('a10', 'a'),
  folderOf('a2', 'a'),
  folderOf('deep', 'a1'),
];

const ids = (selection: { ids: ReadonlySet<string> }) => [...selection.ids].toSorted().join('');

test('a folder counts the files in the folders below it', () => {
  const folders = [
    folderOf('a', null, { document_count: 1 }),
    folderOf('a1', 'a'),
    folderOf('deep', 'a1', { document_count: 2 }),
    folderOf('b'),
  ];
  expect(Object.fromEntries(totalsOf(folders))).toEqual({ a: 3, a1: 2, deep: 2, b: 0 });
});

describe('the address of the library', () => {
  test('comes out as it went in, without what makes no sense', () => {
    expect(readLibrarySearch({ folder: ID, only: 'failed', sort: 'recent' })).toEqual({
      folder: ID,
      only: 'failed',
      sort: 'recent',
    });
    expect(readLibrarySearch({ folder: '../etc', only: 'all', sort: 'size' })).toEqual({});
  });

  test('asks the server for one folder, the top, or what needs a look', () => {
    expect(documentParameters({})).toEqual({ top: true, sort: 'name' });
    expect(documentParameters({ folder: ID, sort: 'recent' })).toEqual({ folder_id: ID, sort: '-updated_at' });
    expect(documentParameters({ folder: ID, only: 'failed' })).toEqual({ status: 'failed', sort: 'name' });
  });
});

describe('folders', () => {
  test('stand as a tree below the top, in the order people count', () => {
    const [top] = treeOf(FOLDERS);
    expect(top?.id).toBe(TOP);
    expect(top?.children.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(top?.children[0]?.children.map(({ id }) => id)).toEqual(['a1', 'a2', 'a10']);
    expect(inside(FOLDERS, undefined).map(({ id }) => id)).toEqual(['a', 'b']);
  });

  test('know the way from the top', () => {
    expect(wayTo(FOLDERS, 'deep').map(({ id }) => id)).toEqual(['a', 'a1', 'deep']);
    expect(wayTo(FOLDERS, undefined)).toEqual([]);
    expect(wayTo(FOLDERS, 'gone')).toEqual([]);
  });

  test('go anywhere but into themselves', () => {
    expect(mayHold(FOLDERS, 'deep', new Set(['a']))).toBe(false);
    expect(mayHold(FOLDERS, 'a', new Set(['a']))).toBe(false);
    expect(mayHold(FOLDERS, 'b', new Set(['a']))).toBe(true);
    expect(mayHold(FOLDERS, TOP, new Set(['a']))).toBe(true);
  });
});

describe('a selection', () => {
  const order = ['a', 'b', 'c', 'd'];

  test('is toggled one by one and extended by shift', () => {
    const one = toggle(NONE, 'b');
    expect(ids(extend(one, 'd', order))).toBe('bcd');
    expect(ids(extend(one, 'a', order))).toBe('ab');
    expect(ids(toggle(one, 'b'))).toBe('');
    expect(ids(extend(NONE, 'c', order))).toBe('c');
  });

  test('forgets what is no longer shown', () => {
    expect(ids(kept(all(order), ['a', 'd', 'x']))).toBe('ad');
    expect(kept(NONE, order)).toBe(NONE);
  });
});

describe('rows', () => {
  const entries = entriesOf([folderOf('a')], [documentOf(), documentOf({ id: 'd2', name: 'b.txt' })], new Map());

  test('are summed up in words', () => {
    expect(summaryOf(entries.slice(1, 2))).toBe('“report.pdf”');
    expect(summaryOf(entries)).toBe('1 folder and 2 files');
    expect(summaryOf(entries.slice(1))).toBe('2 files');
  });

  test('are all tried; what failed is said by name at the end', async () => {
    const refusal = new ApiProblem({ status: 409, code: 'stale', title: '', detail: 'Someone was faster.' });
    const act = vi.fn((entry: (typeof entries)[number]) =>
      nameOf(entry) === 'a' ? Promise.reject(refusal) : Promise.resolve(),
    );
    await expect(each(entries, act)).rejects.toThrow('a: Someone was faster.');
    expect(act).toHaveBeenCalledTimes(3);
  });
});

describe('the standing of a document', () => {
  test.each([
    [{ indexing_status: 'pending' }, { tone: 'working', text: 'Waiting' }],
    [
      { indexing_status: 'in_progress', progress: { done: 0, total: null } },
      { tone: 'working', text: 'Reading' },
    ],
    [
      { indexing_status: 'in_progress', progress: { done: 3, total: 12 } },
      { tone: 'working', text: '3 of 12', share: 0.25 },
    ],
    [{ indexing_status: 'completed' }, { tone: 'ready', text: 'Ready' }],
    [
      { indexing_status: 'completed', warnings: ['Cut.', 'Damaged.'] },
      { tone: 'ready', text: 'Ready', warning: 'Cut. Damaged.' },
    ],
    [
      { indexing_status: 'failed', indexing_error: { code: 'encrypted', reason: 'It has a password.' } },
      { tone: 'failed', text: 'Failed', reason: 'It has a password.' },
    ],
  ] as const)('%o', (more, standing) => {
    expect(standingOf(documentOf(more))).toEqual(standing);
  });
});

describe('news of a document', () => {
  const pages = { pages: [{ items: [documentOf(), documentOf({ id: 'd2' })], next_cursor: null }], pageParams: [null] };
  const news = {
    id: 'd2',
    indexing_status: 'failed',
    indexing_error: { code: 'damaged', reason: 'Broken.' },
    progress: { done: 0, total: null },
    mime_type: 'application/pdf',
    warnings: [],
    page_count: null,
    has_thumbnail: false,
  } as const;

  test('go into the row they are about', () => {
    const [page] = withNews(pages, news).pages;
    expect(page?.items.map(({ indexing_status }) => indexing_status)).toEqual(['completed', 'failed']);
  });

  test('leave other lists as they are', () => {
    expect(withNews(pages, { ...news, id: 'other' })).toBe(pages);
  });

  test('in a row cost one question at a time, and the last is not lost', async () => {
    vi.useFakeTimers();
    const answers: (() => void)[] = [];
    const run = vi.fn(() => new Promise<void>((resolve) => answers.push(resolve)));
    const often = atMostEvery(100, run);
    for (let time = 0; time < 5; time += 1) often();
    await vi.advanceTimersByTimeAsync(1000);
    expect(run).toHaveBeenCalledTimes(1);
    answers[0]?.();
    await vi.advanceTimersByTimeAsync(0);
    expect(run).toHaveBeenCalledTimes(2);
    answers[1]?.();
    await vi.advanceTimersByTimeAsync(1000);
    expect(run).toHaveBeenCalledTimes(2);
    vi.useRealTimers();
  });
});
