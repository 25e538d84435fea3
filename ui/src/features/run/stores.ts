/** The runs that are followed: one reader for each, however many look; the screen hears of it once a frame. */
import { useEffect } from 'react';
import { create } from 'zustand';
import { CitationBuffer } from '@/lib/citationBuffer';
import type { RunEvent } from '@/lib/conversationWire';
import { session } from '@/lib/http';
import { BlockSplitter, type MarkdownBlock } from '@/lib/markdownBlocks';
import { messageOf } from '@/lib/problem';
import { readEvents, type StreamState } from '@/lib/sse';
import { reduce } from './reduce';
import { type LiveReport, ReportWriter } from './reportWriter';
import { hasEnded, type RunView, UNHEARD } from './view';

export interface Followed {
  readonly view: RunView;
  readonly closed: readonly MarkdownBlock[];
  readonly tail: MarkdownBlock | null;
  readonly citations: readonly string[];
  /** The report that is being written, as far as it can be shown. */
  readonly report: LiveReport | null;
  readonly connection: StreamState;
  /** Why the run cannot be followed. */
  readonly refusal: string | null;
}

const NOTHING: Followed = {
  view: UNHEARD,
  closed: [],
  tail: null,
  citations: [],
  report: null,
  connection: 'connecting',
  refusal: null,
};
/** A hidden tab has no frames. */
const HIDDEN_MS = 200;
/** A text that takes long to draw is drawn less often. */
const CHEAP_MS = 8;
const REST = 4;

interface Runs {
  readonly followed: Readonly<Record<string, Followed>>;
}

const useRuns = create<Runs>(() => ({ followed: {} }));

interface Reader {
  followers: number;
  readonly stop: () => void;
}

const readers = new Map<string, Reader>();

/** What is known of a run, followed for as long as the component is there. A null is no run. */
export function useRun(id: string | null): Followed {
  return useRunPart(id, whole);
}

/** A part of it: while the text grows, who looks at something else is not drawn anew. */
export function useRunPart<Part>(id: string | null, part: (run: Followed) => Part): Part {
  useEffect(() => (id === null ? undefined : join(id)), [id]);
  return useRuns(({ followed }) => part(id === null ? NOTHING : (followed[id] ?? NOTHING)));
}

function whole(run: Followed): Followed {
  return run;
}

function join(id: string): () => void {
  const known = useRuns.getState().followed[id]?.view;
  // What has ended tells nothing new.
  if (known && hasEnded(known) && !known.isMakingMore && !readers.has(id)) return () => undefined;
  const reader = readers.get(id) ?? { followers: 0, stop: follow(id) };
  readers.set(id, { ...reader, followers: reader.followers + 1 });
  return () => leave(id);
}

function leave(id: string): void {
  const reader = readers.get(id);
  if (!reader) return;
  if (reader.followers > 1) {
    readers.set(id, { ...reader, followers: reader.followers - 1 });
    return;
  }
  reader.stop();
  readers.delete(id);
}

function follow(id: string): () => void {
  const ending = new AbortController();
  const writer = new Writer(id);
  const end = () => ending.abort();
  void readEvents({
    url: `/api/v1/runs/${id}/stream`,
    credentials: session,
    signal: ending.signal,
    onState: (state) => {
      writer.connection(state);
      if (writer.isOver && state === 'reconnecting') end();
    },
    onEvent: ({ id: seq, data }) => {
      writer.take(Number(seq), JSON.parse(data) as RunEvent);
      if (writer.isOver && !writer.isMakingMore) end();
    },
  }).catch((error: unknown) => writer.refuse(messageOf(error)));
  return () => {
    end();
    writer.stop();
  };
}

/** Takes events into a plain object and shows it at most once a frame. */
class Writer {
  readonly #id: string;
  #now: Followed = NOTHING;
  #splitter = new BlockSplitter();
  #buffer = new CitationBuffer();
  #shown = 0;
  #rewrites = 0;
  readonly #report = new ReportWriter();
  #timer: (() => void) | null = null;
  #restUntil = 0;

  constructor(id: string) {
    this.#id = id;
  }

  get isOver(): boolean {
    return hasEnded(this.#now.view);
  }

  get isMakingMore(): boolean {
    return this.#now.view.isMakingMore;
  }

  take(seq: number, event: RunEvent): void {
    this.#change({ view: reduce(this.#now.view, seq, event) });
  }

  connection(connection: StreamState): void {
    this.#change({ connection });
  }

  refuse(refusal: string): void {
    this.#change({ refusal });
  }

  stop(): void {
    this.#timer?.();
    this.#timer = null;
  }

  #change(change: Partial<Followed>): void {
    this.#now = { ...this.#now, ...change };
    this.#timer ??= this.#later(() => this.#show());
  }

  #later(run: () => void): () => void {
    const wait = Math.max(document.hidden ? HIDDEN_MS : 0, this.#restUntil - performance.now());
    if (wait > 0) {
      const timer = setTimeout(run, wait);
      return () => clearTimeout(timer);
    }
    const frame = requestAnimationFrame(run);
    return () => cancelAnimationFrame(frame);
  }

  #show(): void {
    this.#timer = null;
    const began = performance.now();
    this.#split();
    const report = this.#report.take(this.#now.view.preview);
    if (report !== this.#now.report) this.#now = { ...this.#now, report };
    useRuns.setState(({ followed }) => ({ followed: { ...followed, [this.#id]: this.#now } }));
    requestAnimationFrame(() => {
      const cost = performance.now() - began;
      if (cost > CHEAP_MS * REST) this.#restUntil = performance.now() + Math.min(cost, 1_000);
    });
  }

  /** Takes what is new in the text; half a citation waits for its other half. */
  #split(): void {
    const { text, rewrites } = this.#now.view;
    const isAnew = rewrites !== this.#rewrites;
    if (isAnew) {
      this.#splitter = new BlockSplitter();
      this.#buffer = new CitationBuffer();
      this.#shown = 0;
      this.#rewrites = rewrites;
    }
    this.#buffer.feed(text.slice(this.#buffer.full.length));
    if (this.isOver) this.#buffer.end();
    const { readyLength } = this.#buffer;
    if (!isAnew && readyLength === this.#shown) return;
    this.#splitter.push(text.slice(this.#shown, readyLength));
    this.#shown = readyLength;
    const { closed, tail, citations } = this.#splitter;
    const isCitedAsBefore = !isAnew && citations.length === this.#now.citations.length;
    this.#now = { ...this.#now, closed, tail, citations: isCitedAsBefore ? this.#now.citations : citations };
  }
}
