/** Where in memory one is, as the address bar keeps it. */

export const LOOKS = ['graph', 'list', 'timeline'] as const;
export type Look = (typeof LOOKS)[number];

/** Which thing stands in the right pane. */
export interface Opened {
  readonly node?: string;
  readonly fact?: string;
  readonly episode?: string;
}

/** The moment that is looked at: what held then, by what was known then. Left out, it is now. */
export interface Moment {
  readonly as_of?: string;
  readonly known_at?: string;
}

export interface MemorySearch extends Opened, Moment {
  readonly group?: string;
  /** The way to look at it; the picture, if not given. */
  readonly look?: Exclude<Look, 'graph'>;
  readonly q?: string;
  /** Facts that ended are found too. */
  readonly ended?: true;
}

const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const LONGEST_QUERY = 1_000;
const LONGEST_GROUP = 128;

/** Takes from the address what makes sense and leaves the rest. A text may look like a number there. */
export function readMemorySearch(raw: Record<string, unknown>): MemorySearch {
  const text = (key: string) =>
    ['string', 'number', 'boolean'].includes(typeof raw[key]) ? String(raw[key]).trim() : '';
  const id = (key: string) => (UUID.test(text(key)) ? text(key) : undefined);
  const [node, fact, episode] = [id('node'), id('fact'), id('episode')];
  const [as_of, known_at] = [momentOf(text('as_of')), momentOf(text('known_at'))];
  return {
    ...(text('group') !== '' && text('group').length <= LONGEST_GROUP && { group: text('group') }),
    ...((text('look') === 'list' || text('look') === 'timeline') && { look: text('look') as 'list' | 'timeline' }),
    ...(text('q') !== '' && { q: text('q').slice(0, LONGEST_QUERY) }),
    ...(text('ended') === 'true' && { ended: true as const }),
    ...(as_of !== undefined && { as_of }),
    ...(known_at !== undefined && { known_at }),
    ...(episode !== undefined ? { episode } : fact !== undefined ? { fact } : node !== undefined && { node }),
  };
}

function momentOf(text: string): string | undefined {
  const at = Date.parse(text);
  return /^\d{4}-/.test(text) && !Number.isNaN(at) ? new Date(at).toISOString() : undefined;
}

/** The same place with another thing, or none, in the right pane. */
export function opening(search: MemorySearch, opened: Opened): MemorySearch {
  const { node: _node, fact: _fact, episode: _episode, ...others } = search;
  return { ...others, ...opened };
}

/** The same place at another moment. */
export function standingAt(search: MemorySearch, moment: Moment): MemorySearch {
  const { as_of: _asOf, known_at: _knownAt, ...others } = search;
  return { ...others, ...moment };
}

export function momentIn({ as_of, known_at }: Moment): Moment {
  return { ...(as_of !== undefined && { as_of }), ...(known_at !== undefined && { known_at }) };
}

export function openedIn({ node, fact, episode }: Opened): Opened {
  return {
    ...(node !== undefined && { node }),
    ...(fact !== undefined && { fact }),
    ...(episode !== undefined && { episode }),
  };
}
