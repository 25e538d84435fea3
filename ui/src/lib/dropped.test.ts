import { describe, expect, test } from 'vitest';
import { chosen, filesOf, holdsFiles } from './dropped';

const named = (name: string) => new File(['x'], name);
const fileEntry = (name: string) => ({ isFile: true, name, file: (done: (file: File) => void) => done(named(name)) });

/** A directory that hands out its entries two at a time, as browsers do by the hundred. */
function folderEntry(name: string, children: readonly object[]) {
  return {
    isFile: false,
    name,
    createReader: () => {
      let given = 0;
      return {
        readEntries: (done: (some: readonly object[]) => void) => {
          done(children.slice(given, given + 2));
          given += 2;
        },
      };
    },
  };
}

function transferOf(entries: readonly object[]): DataTransfer {
  const items = entries.map((entry) => ({ webkitGetAsEntry: () => entry }));
  return { items, files: [], types: ['Files'] } as unknown as DataTransfer;
}

describe('dropped things', () => {
  test('are walked to the last file, each with its folders', async () => {
    const tree = folderEntry('reports', [
      fileEntry('a.pdf'),
      fileEntry('b.pdf'),
      folderEntry('2025', [fileEntry('c.pdf')]),
      fileEntry('.DS_Store'),
    ]);
    const found = await filesOf(transferOf([tree, fileEntry('loose.txt')]));
    expect(found.map(({ file, folders }) => [...folders, file.name].join('/'))).toEqual([
      'reports/a.pdf',
      'reports/b.pdf',
      'reports/2025/c.pdf',
      'loose.txt',
    ]);
  });

  test('are files or something else', () => {
    expect(holdsFiles({ types: ['text/plain'] } as unknown as DataTransfer)).toBe(false);
    expect(holdsFiles({ types: ['Files'] } as unknown as DataTransfer)).toBe(true);
    expect(holdsFiles(null)).toBe(false);
  });

  test('may be chosen as a whole folder', () => {
    const file = named('a.pdf');
    Object.defineProperty(file, 'webkitRelativePath', { value: 'reports/2025/a.pdf' });
    expect(chosen([file])[0]?.folders).toEqual(['reports', '2025']);
  });
});
