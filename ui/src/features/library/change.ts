/** Changes to many rows at once: each is tried, and what failed is said once at the end. */
import { ApiProblem, messageOf } from '@/lib/problem';
import { useChangeDocument, useChangeFolder, useDeleteDocument, useDeleteFolder } from './api';
import type { Entry } from './entries';
import { nameOf } from './entries';
import { parentIdOf } from './folders';

export async function each(entries: readonly Entry[], act: (entry: Entry) => Promise<unknown>): Promise<void> {
  const failures: string[] = [];
  for (const entry of entries) {
    try {
      await act(entry);
    } catch (error) {
      failures.push(entries.length === 1 ? messageOf(error) : `${nameOf(entry)}: ${messageOf(error)}`);
    }
  }
  if (failures.length > 0)
    throw new ApiProblem({
      status: 409,
      code: 'some_failed',
      title: 'Not all was done',
      detail: failures.slice(0, 3).join(' '),
    });
}

export function useMove() {
  const document = useChangeDocument();
  const folder = useChangeFolder();
  return (entries: readonly Entry[], target: string) =>
    each(entries, (entry) =>
      entry.type === 'folder'
        ? folder.mutateAsync({ folder: entry.folder, parent_folder_id: parentIdOf(target) })
        : document.mutateAsync({ document: entry.document, folder_id: parentIdOf(target) }),
    );
}

export function useRename() {
  const document = useChangeDocument();
  const folder = useChangeFolder();
  return async (entry: Entry, name: string): Promise<void> => {
    if (entry.type === 'folder') await folder.mutateAsync({ folder: entry.folder, name });
    else await document.mutateAsync({ document: entry.document, name });
  };
}

export function useDelete() {
  const document = useDeleteDocument();
  const folder = useDeleteFolder();
  return (entries: readonly Entry[]) =>
    each(entries, (entry) =>
      entry.type === 'folder' ? folder.mutateAsync(entry.folder) : document.mutateAsync(entry.document),
    );
}
