/** What a report says, ready to be shown: its blocks, its citations as marks, and its sources under their own numbers. */
import { type Marks, marksByIdentifier } from '@/features/evidence/marks';
import type { NumberedFile } from '@/features/evidence/sources';
import type { Citation, CitedFile } from '@/lib/conversationWire';
import type { Content } from '@/lib/deliverableWire';
import { chunksOf, type GmlChunk } from '@/lib/gml/splitter';

type Source = Content['sources'][number];

export interface Report {
  readonly chunks: readonly GmlChunk[];
  readonly marks: Marks;
  readonly sources: readonly NumberedFile[];
}

export function reportOf({ gml, citations, sources }: Content): Report {
  const { chunks, citations: identifiers } = chunksOf(gml);
  return {
    chunks,
    marks: marksByIdentifier(
      identifiers,
      citations,
      (citation) => sources.find((source) => isFrom(citation, source))?.number,
    ),
    sources: sources.map((source) =>
      numbered(
        source,
        citations.filter((citation) => isFrom(citation, source)),
      ),
    ),
  };
}

/** A deleted document is known by its bytes. */
function isFrom(citation: Citation, source: Source): boolean {
  return citation.document_id === null
    ? citation.sha256 === source.sha256
    : citation.document_id === source.document_id;
}

function numbered(source: Source, citations: readonly Citation[]): NumberedFile {
  const passages = uniquePassages(citations);
  const file: CitedFile = {
    file_name: source.file_name,
    file_id: citations[0]?.document_id ?? source.document_id,
    source_type: citations[0]?.source_type ?? 'blob_storage',
    mime_type: source.mime_type,
    relevance_score: 1,
    is_image: source.mime_type.startsWith('image/'),
    fetch_strategy: 'internal_api',
    external_url: null,
    excerpts: passages.map(({ id, quote, char_start, char_end, page, section }) => ({
      citation_ids: [id],
      quote,
      char_start,
      char_end,
      page,
      section,
    })),
    status: citations[0]?.file_status ?? 'active',
    path: null,
    has_thumbnail: false,
  };
  return { number: source.number, file, citations: passages };
}

/** A report cites the same passage in many places; the list names it once for each outcome, as the notes of a file do. */
function uniquePassages(citations: readonly Citation[]): readonly Citation[] {
  const outcomes = citations
    .toReversed()
    .map((citation) => [`${citation.identifier} ${citation.check} ${citation.reason}`, citation] as const);
  return [...new Map(outcomes).values()].toSorted((a, b) => a.ordinal - b.ordinal);
}
