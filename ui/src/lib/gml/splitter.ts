/**
 * Cuts GML that is still being written into chunks of whole blocks. A closed chunk is read once and never changes again, so
 * that only the last one is ever read and drawn anew.
 */
import { type Block, blocksOf, citationsOf, type Runs } from './blocks';
import { parse, readyLength, stackAfter, type Tag, tagsIn } from './tree';

export interface GmlChunk {
  readonly blocks: readonly Block[];
}

const METRIC = 'gml-infoblockmetric';
const BLANK = /^[ \t\r\n\f]*$/;
/** What stands in a line of text; anything else begins a block. */
const INLINE: ReadonlySet<string> = new Set([
  'strong',
  'b',
  'em',
  'i',
  'a',
  'code',
  'sup',
  'sub',
  'br',
  'gml-inlinecitation',
]);

export class GmlSplitter {
  #closed: readonly GmlChunk[] = [];
  #cited: readonly string[] = [];
  /** What is open: the text from the beginning of its chunk, and how far its tags have been taken. */
  #open = '';
  #taken = 0;
  #stack: readonly string[] = [];
  #words = 0;
  #hasEnded = false;

  /** The same list as before when no chunk has been closed since. */
  get closed(): readonly GmlChunk[] {
    return this.#closed;
  }

  /** The chunk that is being written; null between two chunks. */
  get tail(): GmlChunk | null {
    const ready = this.#ready;
    return BLANK.test(ready) ? null : { blocks: blocksOf(parse(ready), this.#cited.length) };
  }

  /** All that is cited so far, in order. */
  get citations(): readonly string[] {
    const fresh = this.#open.includes('<gml-inlinecitation') ? citationsOf(parse(this.#ready)) : [];
    return fresh.length === 0 ? this.#cited : [...this.#cited, ...fresh];
  }

  /** How many words have come, to the last closed chunk. */
  get words(): number {
    return this.#words;
  }

  get #ready(): string {
    return this.#hasEnded ? this.#open : this.#open.slice(0, readyLength(this.#open, this.#taken));
  }

  push(more: string): void {
    this.#open += more;
    const ready = this.#ready;
    // The tags are taken from where the last ones ended; cutting moves that place, so it is counted from the front of the text.
    const from = this.#taken;
    let gone = 0;
    for (const tag of tagsIn(ready.slice(from))) {
      if (tag.isEndless) break;
      gone += this.#turn({ ...tag, start: tag.start + from - gone, end: tag.end + from - gone });
      this.#taken = tag.end + from - gone;
    }
  }

  /** No more comes: what is open is all there is. */
  end(): void {
    this.#hasEnded = true;
    if (!BLANK.test(this.#open)) this.#close(this.#open.length);
  }

  /** Takes a tag; says how much was cut off in front. A chunk ends behind a block, or before one when something loose stands there. */
  #turn(tag: Tag): number {
    const isBlock = tag.name !== '' && !INLINE.has(tag.name);
    const wasOutside = this.#stack.length === 0;
    const startsBlock = isBlock && wasOutside && !tag.closes && tag.name !== METRIC;
    const before = startsBlock && !BLANK.test(this.#open.slice(0, tag.start)) ? this.#close(tag.start) : 0;
    this.#stack = stackAfter(this.#stack, tag);
    const endsBlock = isBlock && this.#stack.length === 0 && (tag.isWhole || !wasOutside) && tag.name !== METRIC;
    return before + (endsBlock ? this.#close(tag.end - before) : 0);
  }

  #close(end: number): number {
    const tree = parse(this.#open.slice(0, end));
    const blocks = blocksOf(tree, this.#cited.length);
    this.#open = this.#open.slice(end);
    this.#cited = [...this.#cited, ...citationsOf(tree)];
    this.#words += wordsIn(blocks);
    if (blocks.length > 0) this.#closed = [...this.#closed, { blocks }];
    return end;
  }
}

/** The chunks of a text that is whole. */
export function chunksOf(whole: string): {
  readonly chunks: readonly GmlChunk[];
  readonly citations: readonly string[];
  readonly words: number;
} {
  const splitter = new GmlSplitter();
  splitter.push(whole);
  splitter.end();
  return { chunks: splitter.closed, citations: splitter.citations, words: splitter.words };
}

export function wordsIn(blocks: readonly Block[]): number {
  return blocks.reduce(
    (sum, block) => sum + lines(block).reduce((all, line) => all + (line.match(/\S+/g)?.length ?? 0), 0),
    0,
  );
}

function lines(block: Block): readonly string[] {
  switch (block.type) {
    case 'heading':
      return [block.text];
    case 'paragraph':
    case 'quote':
      return [text(block.runs)];
    case 'bullets':
    case 'numbered':
      return block.items.map(text);
    case 'callout':
      return [block.title, text(block.runs)];
    case 'table':
      return [block.caption, ...block.columns, ...block.rows.flatMap((row) => row.map(text))];
    case 'metrics':
      return block.metrics.flatMap(({ name, shown }) => [name, shown]);
    case 'row':
      return [...block.primary, ...block.sidebar].flatMap(lines);
    case 'chart':
      return [block.caption];
    case 'sources':
      return [];
    default:
      block satisfies never;
      return [];
  }
}

function text(runs: Runs): string {
  return runs.map((run) => run.text).join('');
}
