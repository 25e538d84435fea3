/** What every part of the screen may ask of a document: the thing itself, and where its pictures are. */
import { queryOptions } from '@tanstack/react-query';
import { answer, api } from './http';
import type { Document } from './wire';

export const DOCUMENTS = 'documents';
/** The stream tells of changes; this only covers a stream that is cut. */
const UNSETTLED_MS = 10_000;

export function documentQuery(id: string) {
  return queryOptions({
    queryKey: [DOCUMENTS, 'one', id],
    queryFn: ({ signal }) =>
      answer(api.GET('/api/v1/documents/{document_id}', { params: { path: { document_id: id } }, signal })),
    refetchInterval: ({ state }) => (state.data && !isSettled(state.data) ? UNSETTLED_MS : false),
  });
}

/** Ready to be found, or refused for good. */
export function isSettled({ indexing_status }: Pick<Document, 'indexing_status'>): boolean {
  return indexing_status === 'completed' || indexing_status === 'failed';
}

/** With the hash of its content, so that a new version is a new picture. */
export function thumbnailPath(id: string, sha256?: string): string {
  return `/api/v1/documents/${id}/thumbnail${sha256 === undefined ? '' : `?of=${sha256.slice(0, 12)}`}`;
}

/** Where in its source something stands: “Page 6 · Findings”. */
export function placeOf({ page, section }: { readonly page: number | null; readonly section: string | null }): string {
  return [page !== null && `Page ${page}`, section].filter(Boolean).join(' · ');
}
