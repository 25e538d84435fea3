/** What the reading pane shows, as the address bar keeps it: a document, a passage in it, or its history. */

export type View = 'text' | 'versions' | 'compare';

export interface ReadingSearch {
  readonly doc?: string;
  /** The marked passage, in characters of the document's text. */
  readonly start?: number;
  readonly end?: number;
  readonly page?: number;
  /** An older version; the newest when left out. */
  readonly version?: number;
  readonly view?: View;
  /** The two versions that are compared. */
  readonly from?: number;
  readonly to?: number;
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

const ID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const VIEWS: readonly unknown[] = ['text', 'versions', 'compare'] satisfies readonly View[];

/** Takes from the address what makes sense and leaves the rest. */
export function readReadingSearch(raw: Record<string, unknown>): ReadingSearch {
  if (typeof raw.doc !== 'string' || !ID.test(raw.doc)) return {};
  const span = isCount(raw.start, 0) && isCount(raw.end, raw.start + 1) ? { start: raw.start, end: raw.end } : {};
  return {
    doc: raw.doc,
    ...span,
    ...(isCount(raw.page, 1) && { page: raw.page }),
    ...(isCount(raw.version, 1) && { version: raw.version }),
    ...(VIEWS.includes(raw.view) && { view: raw.view as View }),
    ...(isCount(raw.from, 1) && { from: raw.from }),
    ...(isCount(raw.to, 1) && { to: raw.to }),
  };
}

/** The rest of an address, without what the reading pane keeps there. */
export function withoutReading<Search extends object>(search: Search): Omit<Search, keyof ReadingSearch> {
  const {
    doc: _d,
    start: _s,
    end: _e,
    page: _p,
    version: _v,
    view: _w,
    from: _f,
    to: _t,
    ...others
  } = search as Search & ReadingSearch;
  return others as Omit<Search, keyof ReadingSearch>;
}

export function spanOf({
  start,
  end,
}: {
  readonly start: number | undefined;
  readonly end: number | undefined;
}): Span | null {
  return start === undefined || end === undefined ? null : { start, end };
}

function isCount(value: unknown, least: number): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= least;
}
