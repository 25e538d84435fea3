/** A report that a run is writing, cut into blocks as it grows: what stands is never read again. */
import { type GmlChunk, GmlSplitter } from '@/lib/gml/splitter';
import type { PreviewView } from './view';

export interface LiveReport {
  readonly chunks: readonly GmlChunk[];
  readonly tail: GmlChunk | null;
  readonly citations: readonly string[];
  readonly words: number;
}

export class ReportWriter {
  #splitter = new GmlSplitter();
  #id: string | null = null;
  #rewrites = 0;
  #length = 0;
  #hasEnded = false;
  #shown: LiveReport | null = null;

  /** What can be shown of it; the same as before when nothing has come. */
  take(preview: PreviewView | null): LiveReport | null {
    if (preview === null) return null;
    if (preview.id !== this.#id || preview.rewrites !== this.#rewrites) this.#begin(preview);
    else if (preview.text.length === this.#length && preview.isDone === this.#hasEnded) return this.#shown;
    this.#splitter.push(preview.text.slice(this.#length));
    this.#length = preview.text.length;
    if (preview.isDone && !this.#hasEnded) this.#splitter.end();
    this.#hasEnded = preview.isDone;
    const { closed, tail, citations, words } = this.#splitter;
    this.#shown = { chunks: closed, tail, citations, words };
    return this.#shown;
  }

  #begin({ id, rewrites }: PreviewView): void {
    this.#splitter = new GmlSplitter();
    this.#id = id;
    this.#rewrites = rewrites;
    this.#length = 0;
    this.#hasEnded = false;
  }
}
