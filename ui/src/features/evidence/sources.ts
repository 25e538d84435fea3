/** The files of an answer in the order of its citations, under the same numbers as in its text. */
import type { Citation, CitedFile, Entity } from '@/lib/conversationWire';
import { isSource } from './kinds';
import { type Marks, sourceOf, standingOf, type Told } from './marks';

export interface NumberedFile {
  readonly number: number;
  readonly file: CitedFile;
  /** What cites it, in the order of the text. */
  readonly citations: readonly Citation[];
}

/** A file that is listed but not in the text comes last. */
export function numberedFiles(files: readonly CitedFile[], marks: Marks): readonly NumberedFile[] {
  const citations = marks.flatMap((mark) => (mark?.citation ? [{ number: mark.number, citation: mark.citation }] : []));
  const numberOf = new Map(citations.map(({ number, citation }) => [citation.id, number]));
  let last = Math.max(0, ...numberOf.values());
  return files
    .map((file) => {
      const ids = new Set(file.excerpts.flatMap(({ citation_ids }) => citation_ids));
      const cited = citations.filter(({ citation }) => ids.has(citation.id)).map(({ citation }) => citation);
      const number = cited[0] === undefined ? undefined : numberOf.get(cited[0].id);
      return { number: number ?? (last += 1), file, citations: cited };
    })
    .toSorted((a, b) => a.number - b.number);
}

export interface Read {
  readonly key: string;
  readonly entity: Entity;
  readonly document: string | null;
  readonly episode: Told | null;
}

/** What was found and not cited, one line a document. */
export function readNotCited(entities: readonly Entity[], citations: readonly Citation[]): readonly Read[] {
  // A deleted document has lost its id in the citation, and is known by its text.
  const cited = new Set(citations.flatMap((citation) => [sourceOf(citation), citation.text_sha256]));
  const found = new Map<string, Read>();
  for (const entity of entities.filter(isSource)) {
    const { document, episode } = standingOf(entity);
    const key = document ?? episode?.id ?? entity.content_artifact_id ?? entity.identifier;
    if (!cited.has(key) && !cited.has(entity.content_artifact_id) && !found.has(key))
      found.set(key, { key, entity, document, episode });
  }
  return [...found.values()];
}
