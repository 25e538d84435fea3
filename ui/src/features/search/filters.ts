/** A search as the address bar keeps it. */
import { FILE_KINDS, type FileKind } from '@/lib/fileKind';

export interface SearchQuery {
  readonly q?: string;
  /** The path of a folder; what lies below it counts too. */
  readonly folder?: string;
  readonly kind?: FileKind;
  readonly source?: string;
}

const LONGEST = 1_000;

/** Takes from the address what makes sense and leaves the rest. A query may look like a number there. */
export function readSearchQuery(raw: Record<string, unknown>): SearchQuery {
  const q = ['string', 'number', 'boolean'].includes(typeof raw.q) ? String(raw.q).trim().slice(0, LONGEST) : '';
  return {
    ...(q !== '' && { q }),
    ...(typeof raw.folder === 'string' && raw.folder.startsWith('/') && { folder: raw.folder }),
    ...(FILE_KINDS.includes(raw.kind as FileKind) && { kind: raw.kind as FileKind }),
    ...(typeof raw.source === 'string' && /^[a-z][a-z0-9_]*$/.test(raw.source) && { source: raw.source }),
  };
}
