/**
 * Cuts Markdown that is still being written into blocks. A closed block never changes again, so that only the last one is
 * ever drawn anew; each push looks at the new text alone.
 */
import { citationsIn } from './citations';

export interface MarkdownBlock {
  readonly text: string;
  /** How many citations stand before the block in the whole text. */
  readonly firstCitation: number;
}

/** A list longer than this is cut between two of its items. */
const LONG_LIST = 4_000;
const FENCE = /^\s*(`{3,}|~{3,})/;
const ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;

export class BlockSplitter {
  #closed: readonly MarkdownBlock[] = [];
  #open = '';
  /** Where the first line begins that has not been looked at. */
  #line = 0;
  #fence: string | null = null;
  #isList = false;
  #afterBlank = false;
  #cited: string[] = [];

  /** The same list as before when no block has been closed since. */
  get closed(): readonly MarkdownBlock[] {
    return this.#closed;
  }

  /** The block that is being written; null between two blocks. */
  get tail(): MarkdownBlock | null {
    return this.#open.trim() === '' ? null : { text: this.#open, firstCitation: this.#cited.length };
  }

  /** All that is cited so far, in order. */
  get citations(): readonly string[] {
    return [...this.#cited, ...citationsIn(this.#open)];
  }

  push(text: string): void {
    this.#open += text;
    const fresh: MarkdownBlock[] = [];
    for (let end = this.#open.indexOf('\n', this.#line); end >= 0; end = this.#open.indexOf('\n', this.#line)) {
      this.#read(this.#open.slice(this.#line, end), end + 1, fresh);
    }
    if (fresh.length > 0) this.#closed = [...this.#closed, ...fresh];
  }

  #read(line: string, next: number, fresh: MarkdownBlock[]): void {
    const isBlank = line.trim() === '';
    if (this.#fence !== null) {
      if (line.trim().startsWith(this.#fence) && line.trim().replaceAll(this.#fence.charAt(0), '') === '')
        this.#fence = null;
    } else if (isBlank) {
      if (!this.#isList) next -= this.#close(next, fresh);
    } else {
      if (this.#startsAnew(line)) next -= this.#close(this.#line, fresh);
      if (this.#line === 0 || this.#open.slice(0, this.#line).trim() === '') this.#isList = ITEM.test(line);
      this.#fence = FENCE.exec(line)?.[1] ?? null;
    }
    this.#afterBlank = isBlank;
    this.#line = next;
  }

  /** Whether a line ends the list before it: by not belonging to it, or because the list is long enough. */
  #startsAnew(line: string): boolean {
    if (!this.#isList || this.#line === 0) return false;
    if (ITEM.test(line)) return this.#line > LONG_LIST && !line.startsWith(' ');
    return this.#afterBlank && !/^\s/.test(line);
  }

  /** Closes the block before `end`, and says how many characters have gone. */
  #close(end: number, fresh: MarkdownBlock[]): number {
    const text = this.#open.slice(0, end);
    this.#open = this.#open.slice(end);
    this.#line = 0;
    this.#isList = false;
    if (text.trim() !== '') {
      fresh.push({ text, firstCitation: this.#cited.length });
      this.#cited.push(...citationsIn(text));
    }
    return end;
  }
}

/** The blocks of a text that is whole. */
export function blocksOf(text: string): readonly MarkdownBlock[] {
  const splitter = new BlockSplitter();
  splitter.push(text);
  return splitter.tail === null ? splitter.closed : [...splitter.closed, splitter.tail];
}
