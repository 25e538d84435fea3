/** A row of the library: a folder or a document. */
import { count } from '@/lib/format';
import type { Document, Folder } from '@/lib/wire';

export type Entry =
  | { readonly type: 'folder'; readonly folder: Folder; /** With those in the folders below. */ readonly files: number }
  | { readonly type: 'document'; readonly document: Document };

/** What a person may ask to be done with rows; each opens a dialog. */
export type Wish =
  | { readonly do: 'create' }
  | { readonly do: 'import' }
  | { readonly do: 'rename'; readonly entry: Entry }
  | { readonly do: 'move'; readonly entries: readonly Entry[] }
  | { readonly do: 'delete'; readonly entries: readonly Entry[] };

export function entriesOf(
  folders: readonly Folder[],
  documents: readonly Document[],
  totals: ReadonlyMap<string, number>,
): readonly Entry[] {
  return [
    ...folders.map((folder): Entry => ({
      type: 'folder',
      folder,
      files: totals.get(folder.id) ?? folder.document_count,
    })),
    ...documents.map((document): Entry => ({ type: 'document', document })),
  ];
}

export function thingOf(entry: Entry): Folder | Document {
  return entry.type === 'folder' ? entry.folder : entry.document;
}

export function idOf(entry: Entry): string {
  return thingOf(entry).id;
}

export function nameOf(entry: Entry): string {
  return thingOf(entry).name;
}

/** "3 files", "1 folder and 2 files", or the name of the only one. */
export function summaryOf(entries: readonly Entry[]): string {
  const [first] = entries;
  if (entries.length === 1 && first) return `“${nameOf(first)}”`;
  const folders = entries.filter(({ type }) => type === 'folder').length;
  const parts = [
    folders > 0 && count(folders, 'folder'),
    folders < entries.length && count(entries.length - folders, 'file'),
  ];
  return parts.filter(Boolean).join(' and ');
}
