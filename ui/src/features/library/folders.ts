/** Folders as a tree, and the way from the top to one of them. */
import type { TreeNode } from '@/lib/tree';
import type { Folder } from '@/lib/wire';

/** The top is no folder of the server; on the screen it is one like the others. */
export const TOP = 'top';
export const TOP_NAME = 'All files';

export function treeOf(folders: readonly Folder[]): readonly TreeNode[] {
  const under = new Map<string, Folder[]>();
  for (const folder of folders.toSorted(byName)) {
    const parent = folder.parent_folder_id ?? TOP;
    under.set(parent, [...(under.get(parent) ?? []), folder]);
  }
  const childrenOf = (id: string): readonly TreeNode[] =>
    (under.get(id) ?? []).map((folder) => ({ id: folder.id, label: folder.name, children: childrenOf(folder.id) }));
  return [{ id: TOP, label: TOP_NAME, children: childrenOf(TOP) }];
}

/** The folders from the top down to this one, itself included. */
export function wayTo(folders: readonly Folder[], id: string | undefined): readonly Folder[] {
  const folder = folders.find((one) => one.id === id);
  return folder ? [...wayTo(folders, folder.parent_folder_id ?? undefined), folder] : [];
}

export function inside(folders: readonly Folder[], parent: string | undefined): readonly Folder[] {
  return folders.filter((folder) => (folder.parent_folder_id ?? undefined) === parent).toSorted(byName);
}

/** How many files lie in each folder and in those below it. */
export function totalsOf(folders: readonly Folder[]): ReadonlyMap<string, number> {
  const parents = new Map(folders.map(({ id, parent_folder_id }) => [id, parent_folder_id]));
  const totals = new Map<string, number>();
  for (const { id, document_count } of folders) {
    for (let at: string | null | undefined = id; at; at = parents.get(at))
      totals.set(at, (totals.get(at) ?? 0) + document_count);
  }
  return totals;
}

/** A folder may go anywhere but into itself. */
export function mayHold(folders: readonly Folder[], target: string, moved: ReadonlySet<string>): boolean {
  return !wayTo(folders, target === TOP ? undefined : target).some((folder) => moved.has(folder.id));
}

export function parentIdOf(node: string): string | null {
  return node === TOP ? null : node;
}

function byName(one: Folder, other: Folder): number {
  return one.name.localeCompare(other.name, undefined, { numeric: true });
}
