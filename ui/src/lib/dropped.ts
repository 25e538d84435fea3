/** Files as they were dropped or chosen, each with the folders it lay in. */

export interface Found {
  readonly file: File;
  /** Names of the folders from the dropped one down; empty for a file that was dropped itself. */
  readonly folders: readonly string[];
}

/** Folders are walked to the end. The list must be taken at once: the browser empties it after the event. */
export async function filesOf(transfer: DataTransfer): Promise<readonly Found[]> {
  const entries = Array.from(transfer.items).map((item) => item.webkitGetAsEntry?.() ?? null);
  if (entries.every((entry) => entry === null)) return chosen(transfer.files);
  const found = await Promise.all(entries.filter((entry) => entry !== null).map((entry) => walk(entry, [])));
  return found.flat();
}

/** What a file input gives; with `webkitdirectory` each file knows its path. */
export function chosen(files: FileList | readonly File[]): readonly Found[] {
  return Array.from(files)
    .map((file) => ({ file, folders: file.webkitRelativePath.split('/').slice(0, -1) }))
    .filter(isWanted);
}

/** True when files are being dragged, and not text, a link or one of our own rows. */
export function holdsFiles(transfer: DataTransfer | null): boolean {
  return transfer?.types.includes('Files') ?? false;
}

async function walk(entry: FileSystemEntry, folders: readonly string[]): Promise<readonly Found[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    return [{ file, folders }].filter(isWanted);
  }
  const inside = await readAll((entry as FileSystemDirectoryEntry).createReader());
  const found = await Promise.all(inside.map((child) => walk(child, [...folders, entry.name])));
  return found.flat();
}

/** A reader gives a hundred entries at a time and an empty list at the end. */
async function readAll(reader: FileSystemDirectoryReader): Promise<readonly FileSystemEntry[]> {
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all;
    all.push(...some);
  }
}

/** The droppings of operating systems are not documents. */
function isWanted({ file }: Found): boolean {
  return !['.DS_Store', 'Thumbs.db', 'desktop.ini'].includes(file.name);
}
