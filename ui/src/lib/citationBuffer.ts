/**
 * Holds back half a citation while a text streams. The server has the same state machine, tested on the same cases.
 * Nothing is lost or reordered, and how the text is cut into chunks makes no difference.
 */
import { LONGEST } from './citations';

/** A form: how it goes on after its first character, and what ends it. */
interface Kind {
  readonly opening: string;
  readonly closing: string;
}

const TAG: Kind = { opening: 'gml-', closing: '>' };
const BRACES: Kind = { opening: 'citation:', closing: '}' };
const ENDS_INSIDE = /[<>{}[\]`\\\n]/g;
const DECISIVE = /\[+|\]+|<+|\{+|\\|\n+/g;

export class CitationBuffer {
  #full = '';
  #bracket: number | null = null;
  #depth = 0;
  #inner: number | null = null;
  #kind = TAG;
  #matched = 0;
  #isEscaped = false;
  #hasEnded = false;

  /** All that came. */
  get full(): string {
    return this.#full;
  }

  /** What can be shown: all that came, up to where a citation may have begun. */
  get ready(): string {
    return this.#full.slice(0, this.readyLength);
  }

  get readyLength(): number {
    const { length } = this.#full;
    if (this.#hasEnded) return length;
    const open = [this.#bracket, this.#inner].filter(
      (start): start is number => start !== null && length - start <= LONGEST,
    );
    return Math.min(length, ...open);
  }

  /** Takes the next chunk; true when there is more to show than before. */
  feed(chunk: string): boolean {
    const before = this.readyLength;
    const begun = this.#full.length;
    for (let at = 0; at < chunk.length;) at = this.#step(chunk, at, begun);
    this.#full += chunk;
    return this.readyLength > before;
  }

  /** No more comes: what is still open is text. True when there is more to show than before. */
  end(): boolean {
    const before = this.readyLength;
    this.#hasEnded = true;
    return this.#full.length > before;
  }

  /** Goes on to what is decisive next; gives the position after it. */
  #step(chunk: string, at: number, begun: number): number {
    if (this.#inner !== null && begun + at - this.#inner >= LONGEST) this.#inner = null;
    if (this.#inner === null) return this.#outside(chunk, at, begun);
    if (this.#matched < this.#kind.opening.length) return this.#opening(chunk, at);
    const limit = Math.min(this.#inner + LONGEST - begun, chunk.length);
    const mark = searchFrom(ENDS_INSIDE, chunk, at);
    if (mark === null || mark.index >= limit) return limit;
    this.#inner = null;
    return mark[0] === this.#kind.closing ? mark.index + 1 : mark.index;
  }

  #opening(chunk: string, at: number): number {
    if (chunk[at] !== this.#kind.opening[this.#matched]) {
      this.#inner = null;
      return at;
    }
    this.#matched += 1;
    return at + 1;
  }

  #outside(chunk: string, at: number, begun: number): number {
    if (this.#isEscaped) {
      this.#isEscaped = false;
      return chunk[at] === '\n' ? at : at + 1;
    }
    const mark = searchFrom(DECISIVE, chunk, at);
    if (mark === null) return chunk.length;
    const [text] = mark;
    const where = begun + mark.index;
    if (this.#bracket !== null && where - this.#bracket >= LONGEST) this.#bracket = null;
    if (text.startsWith('[')) this.#open(where, text.length);
    else if (text.startsWith(']')) this.#close(text.length);
    else if (text === '\\') this.#isEscaped = true;
    else if (text.startsWith('\n')) this.#forget();
    else {
      this.#inner = where + text.length - 1;
      this.#kind = text.startsWith('<') ? TAG : BRACES;
      this.#matched = 0;
    }
    return mark.index + text.length;
  }

  /** Brackets open. One that is too long by now is given up, and the next begins where it was. */
  #open(where: number, count: number): void {
    if (this.#bracket === null) {
      this.#bracket = where;
      this.#depth = 0;
    }
    const beyond = count - (this.#bracket + LONGEST - where);
    if (beyond <= 0) {
      this.#depth += count;
      return;
    }
    const skipped = Math.floor((beyond - 1) / LONGEST);
    this.#bracket += LONGEST * (1 + skipped);
    this.#depth = beyond - LONGEST * skipped;
  }

  #close(count: number): void {
    if (this.#bracket === null) return;
    this.#depth -= count;
    if (this.#depth <= 0) this.#bracket = null;
  }

  #forget(): void {
    this.#bracket = null;
    this.#inner = null;
    this.#isEscaped = false;
  }
}

function searchFrom(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
