/** Citations for tests. */
import type { FigureSource, Statement } from '@/lib/checkWire';
import type { Citation, CitedFile, Entity } from '@/lib/conversationWire';

const BLANK: Citation = {
  id: 'c0',
  message_id: 'm',
  ordinal: 0,
  identifier: 'aa.0-9',
  entity_id: null,
  document_id: 'd1',
  episode_id: null,
  group_id: null,
  file_name: 'report.pdf',
  mime_type: 'application/pdf',
  source_type: 'blob_storage',
  sha256: 's1',
  text_sha256: 't1',
  char_start: 0,
  char_end: 9,
  page: 6,
  section: null,
  quote: 'The count rose\nto 14.',
  sentence: 'It rose to 14.',
  check: 'verified',
  reason: '',
  score: 1,
  review: null,
  is_stale: false,
  file_status: 'active',
};

export function citationOf(ordinal: number, fields: Partial<Citation> = {}): Citation {
  return { ...BLANK, id: `c${ordinal}`, ordinal, ...fields };
}

export function judged(number: number, fields: Partial<Statement> = {}): Statement {
  return {
    number,
    kind: 'sentence',
    text: `Statement ${number}.`,
    char_start: 0,
    char_end: 9,
    verdict: 'supported',
    check: 'verified',
    reason: '',
    judged_by: 'words',
    citation_ids: [],
    carried_by: [],
    calculations: [],
    ...fields,
  };
}

export function readAt(citationId: string, written: string, start: number): FigureSource {
  return {
    citation_id: citationId,
    document_id: 'd1',
    text_sha256: 't1',
    written,
    char_start: start,
    char_end: start + written.length,
  };
}

export function fileOf(citations: readonly Citation[], fields: Partial<CitedFile> = {}): CitedFile {
  const excerpts = citations.map(({ id, quote, char_start, char_end, page, section }) => ({
    citation_ids: [id],
    quote,
    char_start,
    char_end,
    page,
    section,
  }));
  return {
    file_name: citations[0]?.file_name ?? 'report.pdf',
    file_id: 'd1',
    source_type: 'blob_storage',
    mime_type: 'application/pdf',
    relevance_score: 1,
    is_image: false,
    fetch_strategy: 'internal_api',
    external_url: null,
    excerpts,
    status: 'active',
    path: '/report.pdf',
    has_thumbnail: false,
    ...fields,
  };
}

export function entityOf(
  identifier: string,
  metadata: Readonly<Record<string, unknown>>,
  fields: Partial<Entity> = {},
): Entity {
  return {
    entity_type: 'KNOWLEDGE_BASE',
    identifier,
    title: null,
    file_name: `${identifier}.txt`,
    mimetype: 'text/plain',
    content_artifact_id: null,
    metadata,
    ...fields,
  } as unknown as Entity;
}
