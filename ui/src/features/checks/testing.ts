/** Checks for tests. */
import type { FoundCitation, TextCheck, TextStatement, VerdictCounts } from '@/lib/checkWire';

export const NO_COUNTS: VerdictCounts = { supported: 0, partly: 0, not_supported: 0, contradicted: 0, unchecked: 0 };
export const CHECK_ID = '01990000-0000-7000-8000-0000000000c1';

export function foundOf(id: string, fields: Partial<FoundCitation> = {}): FoundCitation {
  return {
    id,
    stance: 'for',
    document_id: '01990000-0000-7000-8000-0000000000d1',
    file_name: 'report.pdf',
    mime_type: 'application/pdf',
    page: 6,
    section: null,
    char_start: 40,
    char_end: 61,
    quote: 'The count rose\nto 14.',
    text_sha256: 't1',
    ...fields,
  };
}

/** A statement at the place of its words in the text. */
export function statedIn(
  text: string,
  words: string,
  fields: Partial<TextStatement> & Pick<TextStatement, 'number'>,
): TextStatement {
  const start = Array.from(text.slice(0, text.indexOf(words))).length;
  return {
    kind: 'sentence',
    text: words,
    char_start: start,
    char_end: start + Array.from(words).length,
    verdict: 'supported',
    check: 'verified',
    reason: '',
    judged_by: 'words',
    calculations: [],
    citations: [],
    ...fields,
  };
}

export function checkOf(fields: Partial<TextCheck> = {}): TextCheck {
  return {
    id: CHECK_ID,
    title: 'Memo',
    status: 'completed',
    progress: 1,
    message: '',
    source: 'text',
    document_id: null,
    deliverable_id: null,
    total: 0,
    counts: NO_COUNTS,
    error: null,
    created_at: '2026-11-16T08:00:00Z',
    finished_at: null,
    text: '',
    context: {},
    model: '',
    input_tokens: 0,
    output_tokens: 0,
    cost_cents: '0',
    statements: [],
    ...fields,
  };
}
