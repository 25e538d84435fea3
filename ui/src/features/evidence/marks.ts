/** The citations of one text as marks in it: numbered by source, each with what is known of it by now. */
import { createContext, useContext } from 'react';
import { createStore, type StoreApi, useStore } from 'zustand';
import { type Check, CHECK_WORDS, type Citation, type Decision, type Entity } from '@/lib/conversationWire';

export interface Mark {
  readonly ordinal: number;
  /** Which source it is, counted from one in the order of the text. */
  readonly number: number;
  readonly name: string;
  readonly mimeType: string;
  readonly page: number | null;
  readonly section: string | null;
  /** Null while the text is being written and nothing has been checked. */
  readonly check: Check | null;
  readonly decision: Decision | null;
  readonly isGone: boolean;
  /** Where the source can be opened; null when it cannot. */
  readonly passage: Passage | null;
  /** The episode of memory that it is; null for documents. */
  readonly episode: Told | null;
  readonly citation: Citation | null;
}

export interface Passage {
  readonly doc: string;
  readonly start: number;
  readonly end: number;
  readonly page: number | null;
}

/** Something that was said, and where memory keeps it. */
export interface Told {
  readonly id: string;
  readonly group: string | null;
}

export type Marks = readonly (Mark | undefined)[];

/** Marks of a text that was kept: each of its citations has been checked. */
export function marksOfCitations(citations: readonly Citation[]): Marks {
  const numbers = new Numbers();
  const marks: Mark[] = [];
  for (const citation of citations.toSorted((a, b) => a.ordinal - b.ordinal))
    marks[citation.ordinal] = markOf(citation, citation.ordinal, numbers.of(sourceOf(citation)));
  return marks;
}

/** Marks of a text by what it cites, in order; its sources have numbers of their own. */
export function marksByIdentifier(
  identifiers: readonly string[],
  citations: readonly Citation[],
  numbered: (citation: Citation) => number | undefined,
): Marks {
  const numbers = new Numbers();
  const known = new Map<string, Citation[]>();
  for (const citation of citations.toSorted((a, b) => a.ordinal - b.ordinal))
    known.set(citation.identifier, [...(known.get(citation.identifier) ?? []), citation]);
  const used = new Map<string, number>();
  return identifiers.map((identifier, ordinal) => {
    const turn = used.get(identifier) ?? 0;
    used.set(identifier, turn + 1);
    const citation = known.get(identifier)?.[turn] ?? known.get(identifier)?.at(-1);
    return citation && markOf(citation, ordinal, numbered(citation) ?? numbers.of(sourceOf(citation)));
  });
}

function markOf(citation: Citation, ordinal: number, number: number): Mark {
  return {
    ordinal,
    number,
    name: citation.file_name,
    mimeType: citation.mime_type,
    page: citation.page,
    section: citation.section,
    check: citation.check,
    decision: citation.review?.decision ?? null,
    isGone: citation.file_status === 'deleted',
    passage:
      citation.document_id === null
        ? null
        : { doc: citation.document_id, start: citation.char_start, end: citation.char_end, page: citation.page },
    episode: toldBy(citation),
    citation,
  };
}

/** Marks of a text that is being written, from what the run has found. A mark that stands is not made anew. */
export class StreamMarks {
  #numbers = new Numbers();
  #marks: readonly Mark[] = [];
  #made: { readonly identifier: string; readonly entity: Entity | undefined }[] = [];

  of(identifiers: readonly string[], references: Readonly<Record<string, Entity>>): Marks {
    const stands = this.#made.every(
      ({ identifier, entity }, ordinal) => identifiers[ordinal] === identifier && references[identifier] === entity,
    );
    if (!stands) this.#begin();
    const fresh = identifiers.slice(this.#made.length).map((identifier) => this.#mark(identifier, references));
    if (fresh.length > 0) this.#marks = [...this.#marks, ...fresh];
    return this.#marks;
  }

  #begin(): void {
    this.#numbers = new Numbers();
    this.#marks = [];
    this.#made = [];
  }

  #mark(identifier: string, references: Readonly<Record<string, Entity>>): Mark {
    const ordinal = this.#made.length;
    this.#made.push({ identifier, entity: references[identifier] });
    const entity = references[identifier] ?? sameText(identifier, references);
    const { document, episode, page, section, start, end } =
      entity === references[identifier]
        ? standingOf(entity)
        : { ...standingOf(entity), page: null, section: null, ...spanIn(identifier) };
    return {
      ordinal,
      number: this.#numbers.of(document ?? episode?.id ?? identifier.split('.')[0] ?? identifier),
      name: entity?.title ?? entity?.file_name ?? '',
      mimeType: entity?.mimetype ?? '',
      page,
      section,
      check: null,
      decision: null,
      isGone: false,
      passage: document === null || start === null || end === null ? null : { doc: document, start, end, page },
      episode,
      citation: null,
    };
  }
}

/** Something that was found in the same text: what is cited may be a part of it. */
function sameText(identifier: string, references: Readonly<Record<string, Entity>>): Entity | undefined {
  const [text] = identifier.split('.');
  return Object.values(references).find((entity) => entity.identifier.split('.')[0] === text);
}

function spanIn(identifier: string): { readonly start: number | null; readonly end: number | null } {
  const [, start, end] = /\.(\d+)-(\d+)$/.exec(identifier) ?? [];
  return start === undefined || end === undefined
    ? { start: null, end: null }
    : { start: Number(start), end: Number(end) };
}

/** Where something that was found stands. */
export function standingOf(entity: Entity | undefined) {
  const told: Readonly<Record<string, unknown>> = { ...entity?.metadata };
  const episode = textOf(told.episode_id);
  return {
    document: textOf(told.document_id),
    episode: episode === null ? null : { id: episode, group: textOf(told.path) },
    page: numberOf(told.page),
    section: textOf(told.section),
    start: numberOf(told.char_start),
    end: numberOf(told.char_end),
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

/** What two citations of the same source have in common. A deleted document is known by its text. */
export function sourceOf({
  document_id,
  episode_id,
  text_sha256,
  sha256,
}: Pick<Citation, 'document_id' | 'episode_id' | 'text_sha256' | 'sha256'>): string {
  return document_id ?? episode_id ?? text_sha256 ?? sha256;
}

/** The episode that a citation names; null for documents. */
export function toldBy({ episode_id, group_id }: Pick<Citation, 'episode_id' | 'group_id'>): Told | null {
  return episode_id === null ? null : { id: episode_id, group: group_id };
}

class Numbers {
  readonly #known = new Map<string, number>();

  of(source: string): number {
    const number = this.#known.get(source) ?? this.#known.size + 1;
    this.#known.set(source, number);
    return number;
  }
}

export const CHECKS = {
  verified: { ...CHECK_WORDS.verified, tone: 'ok' },
  weak: { ...CHECK_WORDS.weak, tone: 'warn' },
  failed: { ...CHECK_WORDS.failed, tone: 'bad' },
  unchecked: { ...CHECK_WORDS.unchecked, tone: 'plain' },
} as const satisfies Record<Check, unknown>;

/** A mark in a sentence, for those who do not see it. */
export function spoken(mark: Mark): string {
  const place = mark.page === null ? '' : `, page ${mark.page}`;
  const check = mark.check === null ? 'not checked yet' : CHECKS[mark.check].word.toLowerCase();
  return `Source ${mark.number}: ${mark.name || 'unknown'}${place}, ${[check, mark.decision, mark.isGone && 'deleted'].filter(Boolean).join(', ')}`;
}

export interface MarkState {
  readonly marks: Marks;
}

export type MarkStore = StoreApi<MarkState>;

export function createMarks(marks: Marks = []): MarkStore {
  return createStore<MarkState>(() => ({ marks }));
}

/** The marks of the text around. Each mark hears of itself alone: a source that comes late never redraws the text. */
export const MarksOfText = createContext<MarkStore>(createMarks());

export function useMark(ordinal: number): Mark | undefined {
  return useStore(useContext(MarksOfText), ({ marks }) => marks[ordinal]);
}
