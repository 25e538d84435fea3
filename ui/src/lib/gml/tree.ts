/**
 * GML as a tree of allowed elements: what is not on the list loses its tag and keeps its text, in linear time.
 * The server reads it in the same way, tested on the same cases; the grammar is in `docs/reference/gml.md`.
 */

export interface GmlElement {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly GmlNode[];
}

export type GmlNode = GmlElement | string;

interface OpenElement extends GmlElement {
  readonly children: GmlNode[];
}

// White space is that of ASCII, as on the server.
const SPACE = ' \\t\\n\\r\\f\\v';
const KEY = '[A-Za-z_:][\\w:.-]*';
const EQUALS = `[${SPACE}]*=[${SPACE}]*`;
const BARE = `[^${SPACE}"'=<>\`]+`;
const ATTRIBUTE = `${KEY}(?:${EQUALS}(?:"[^"]*"|'[^']*'|${BARE}))?`;
const TOKEN = new RegExp(
  `<!--(?:.*?-->|.*$)|<[!?][^>]*>|<(/)?([A-Za-z][A-Za-z0-9-]*)((?:[${SPACE}]+${ATTRIBUTE})*)[${SPACE}]*(/)?>`,
  'gs',
);
const EACH = new RegExp(`(${KEY})(?:${EQUALS}(?:"([^"]*)"|'([^']*)'|(${BARE})))?`, 'g');
const ENTITY = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|(amp|lt|gt|quot|apos|nbsp));/g;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };
// oxlint-disable-next-line no-control-regex -- an address with a control character in it is not one
const SAFE_HREF = /^(?:https?:\/\/|mailto:|#|\/(?!\/))[^\x00-\x20\x7f\\]*$/i;
/** What a stream may still complete: a tag, a comment or an entity. */
const UNFINISHED = /<(?:[A-Za-z/!?](?:[^>"']|"[^"]*(?:"|$)|'[^']*(?:'|$))*)?$|&(?:#?[0-9A-Za-z]{0,8})?$/;
const LONGEST_TAG = 2_000;
const DEEPEST = 32;

const of = (tags: string, ...attributes: readonly string[]) =>
  tags.split(' ').map((tag): [string, ReadonlySet<string>] => [tag, new Set(attributes)]);
export const ALLOWED: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ...of('h1 h2 h3 h4 p ul ol li blockquote pre hr br strong em b i code sup sub table thead tbody tr th td'),
  ...of('a', 'href'),
  ...of('gml-inlinecitation', 'identifier'),
  ...of('gml-chartcontainer', 'caption', 'alt'),
  ...of('gml-infoblockmetric', 'key', 'name', 'value', 'unit', 'period', 'entity'),
  ...of('gml-gradientinsightbox', 'title'),
  ...of('gml-table', 'caption'),
  ...of('gml-row gml-primarycolumn gml-sidebarcolumn gml-blockquote gml-sources'),
]);
export const VOID: ReadonlySet<string> = new Set(['br', 'hr', 'gml-inlinecitation', 'gml-sources']);

export interface Tag {
  readonly start: number;
  readonly end: number;
  /** Empty for a comment and for what is not on the list. */
  readonly name: string;
  readonly closes: boolean;
  /** Holds nothing, and nothing closes it. */
  readonly isWhole: boolean;
  readonly attributes: string;
  /** A comment that nothing has closed: all that follows is part of it. */
  readonly isEndless: boolean;
}

/** Everything between angle brackets that is markup, in order. */
export function* tagsIn(text: string): Generator<Tag> {
  // Behind the last “>” only a comment that nothing closes can begin: looked for apart, so that many “<!” cost no more than few.
  const last = text.lastIndexOf('>') + 1;
  for (const token of text.slice(0, last).matchAll(TOKEN)) {
    const [whole, slash, name = '', attributes = '', closed] = token;
    const isEndless = whole.startsWith('<!--') && (!whole.endsWith('-->') || whole.length < '<!---->'.length);
    const known = ALLOWED.has(name.toLowerCase()) ? name.toLowerCase() : '';
    yield {
      start: token.index,
      end: isEndless ? text.length : token.index + whole.length,
      name: known,
      closes: slash !== undefined,
      isWhole: closed !== undefined || VOID.has(known),
      attributes,
      isEndless,
    };
    if (isEndless) return;
  }
  const comment = text.indexOf('<!--', last);
  if (comment >= 0)
    yield { start: comment, end: text.length, name: '', closes: false, isWhole: true, attributes: '', isEndless: true };
}

/** The tree of a whole text. */
export function parse(text: string): readonly GmlNode[] {
  const open: OpenElement[] = [{ tag: '', attributes: {}, children: [] }];
  let at = 0;
  for (const tag of tagsIn(text)) {
    say(open, decode(text.slice(at, tag.start)));
    at = tag.end;
    if (tag.name !== '') turn(open, tag);
  }
  say(open, decode(text.slice(at)));
  return open[0]?.children ?? [];
}

/** What has come of a stream, up to where a tag or an entity may still be completed; looked for from the last “<”, or from a place where no tag is open. */
export function readyLength(text: string, from: number = text.lastIndexOf('<')): number {
  const start = Math.max(from, text.length - LONGEST_TAG, 0);
  const cut = text.slice(start).search(UNFINISHED);
  return cut < 0 ? text.length : start + cut;
}

/** The tree of what has come of a stream. */
export function parsePrefix(text: string): readonly GmlNode[] {
  return parse(text.slice(0, readyLength(text)));
}

/** The words of a tree. */
export function textOf(nodes: readonly GmlNode[]): string {
  return nodes.map((node) => (typeof node === 'string' ? node : textOf(node.children))).join('');
}

/** The path of names that are open after one more tag. One that closes takes with it all that was opened since. */
export function stackAfter(stack: readonly string[], { name, closes, isWhole }: Tag): readonly string[] {
  if (name === '') return stack;
  if (closes) {
    const depth = stack.lastIndexOf(name);
    return depth < 0 ? stack : stack.slice(0, depth);
  }
  return isWhole || stack.length >= DEEPEST ? stack : [...stack, name];
}

function turn(open: OpenElement[], { name, closes, isWhole, attributes }: Tag): void {
  if (closes) {
    const depth = open.findLastIndex(({ tag }) => tag === name);
    if (depth > 0) open.length = depth;
    return;
  }
  if (open.length > DEEPEST) return;
  const element: OpenElement = { tag: name, attributes: attributesOf(name, attributes), children: [] };
  open.at(-1)?.children.push(element);
  if (!isWhole) open.push(element);
}

function attributesOf(name: string, written: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [, key = '', double, single, bare] of written.matchAll(EACH)) {
    const known = key.toLowerCase();
    const value = decode(double || single || bare || '');
    if (!ALLOWED.get(name)?.has(known) || Object.hasOwn(found, known)) continue;
    if (known === 'href' && !SAFE_HREF.test(value)) continue;
    found[known] = value;
  }
  return found;
}

function say(open: readonly OpenElement[], words: string): void {
  const children = open.at(-1)?.children;
  if (words === '' || !children) return;
  const before = children.at(-1);
  if (typeof before === 'string') children[children.length - 1] = before + words;
  else children.push(words);
}

function decode(text: string): string {
  return text.includes('&')
    ? text.replaceAll(
        ENTITY,
        (_whole, decimal?: string, hex?: string, name?: string) =>
          NAMED[name ?? ''] ?? character(decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16)),
      )
    : text;
}

function character(number: number): string {
  const isCharacter = number >= 0x20 && number <= 0x10ffff && !(number >= 0xd800 && number <= 0xdfff);
  return isCharacter || [9, 10, 13].includes(number) ? String.fromCodePoint(number) : '\ufffd';
}
