/** Makers for tests. */
import type { Document, Folder } from '@/lib/wire';

const AT = '2026-11-15T12:00:00Z';

export function documentOf(more: Partial<Document> = {}): Document {
  return {
    id: 'd1',
    folder_id: null,
    name: 'report.pdf',
    path: '/report.pdf',
    source_type: 'blob_storage',
    fetch_strategy: 'internal_api',
    mime_type: 'application/pdf',
    file_size: 1000,
    sha256: '0'.repeat(64),
    version: 1,
    last_edit_by: 'user',
    indexing_status: 'completed',
    indexing_error: null,
    progress: { done: 3, total: 3 },
    warnings: [],
    page_count: 2,
    title: null,
    language: 'en',
    facts: { kind: null, date: null, period: null, parties: [], amends: [] },
    is_image: false,
    has_thumbnail: false,
    external_id: null,
    external_url: null,
    external_metadata: {},
    last_synced_at: null,
    created_by: null,
    created_at: AT,
    updated_at: AT,
    ...more,
  };
}

export function folderOf(id: string, parent: string | null = null, more: Partial<Folder> = {}): Folder {
  return {
    id,
    parent_folder_id: parent,
    name: id,
    path: `/${id}`,
    scope_id: null,
    version: 1,
    document_count: 0,
    created_at: AT,
    updated_at: AT,
    ...more,
  };
}
