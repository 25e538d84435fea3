/** The WHATWG event-stream format over bytes cut anywhere: inside a character, a CRLF pair, a field or an event. */

export interface SseEvent {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

export class SseParser {
  readonly #decoder = new TextDecoder();
  #rest = '';
  #data: string[] = [];
  #event = '';
  #id = '';
  #afterReturn = false;

  push(bytes: Uint8Array): SseEvent[] {
    const events: SseEvent[] = [];
    for (const line of this.#lines(this.#decoder.decode(bytes, { stream: true }))) {
      const event = line === '' ? this.#dispatch() : this.#field(line);
      if (event) events.push(event);
    }
    return events;
  }

  /** Whole lines only. A return ends a line at once; a line feed that follows it in the next cut is the same ending. */
  *#lines(text: string): Generator<string> {
    let fresh = text;
    if (this.#afterReturn && fresh.startsWith('\n')) fresh = fresh.slice(1);
    if (text !== '') this.#afterReturn = text.endsWith('\r');
    const lines = (this.#rest + fresh).split(/\r\n|\n|\r/);
    this.#rest = lines.pop() ?? '';
    yield* lines;
  }

  #field(line: string): null {
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const raw = colon < 0 ? '' : line.slice(colon + 1);
    const value = raw.startsWith(' ') ? raw.slice(1) : raw;
    if (name === 'data') this.#data.push(value);
    if (name === 'event') this.#event = value;
    if (name === 'id' && !value.includes('\0')) this.#id = value;
    return null;
  }

  #dispatch(): SseEvent | null {
    const event = { id: this.#id, event: this.#event || 'message', data: this.#data.join('\n') };
    const isEmpty = this.#data.length === 0;
    this.#data = [];
    this.#event = '';
    return isEmpty ? null : event;
  }
}
