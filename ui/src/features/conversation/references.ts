/** What a question is put to: a file, a folder, or everything. */
import type { ContextReference } from '@/lib/conversationWire';
import type { Document, Folder } from '@/lib/wire';

export function fileReference({ id, name }: Pick<Document, 'id' | 'name'>): ContextReference {
  return { reference_type: 'file', document_id: id, display_label: name };
}

export function folderReference({ path, name }: Pick<Folder, 'path' | 'name'>): ContextReference {
  return { reference_type: 'folder', folder_path: path, display_label: name };
}

export function sameReference(one: ContextReference, other: ContextReference): boolean {
  return (
    one.reference_type === other.reference_type &&
    (one.document_id ?? null) === (other.document_id ?? null) &&
    (one.folder_path ?? null) === (other.folder_path ?? null)
  );
}
