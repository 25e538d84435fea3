/** What a version changed, as a sentence without its subject: "changed the content". */
import type { DocumentVersion } from '@/lib/wire';

export function sentenceOf({ change, name, path }: DocumentVersion, before: DocumentVersion | undefined): string {
  switch (change) {
    case 'created':
      return 'added the file';
    case 'content':
      return 'changed the content';
    case 'renamed':
      return before ? `renamed it from “${before.name}” to “${name}”` : `renamed it to “${name}”`;
    case 'moved':
      return `moved it to ${path.slice(0, -name.length - 1) || 'the top of the library'}`;
    case 'restored':
      return 'restored an earlier version';
    default:
      change satisfies never;
      return 'changed it';
  }
}

type Line = { readonly kind: 'same' | 'added' | 'removed'; readonly text: string };

export interface Numbered extends Line {
  readonly before: number | null;
  readonly after: number | null;
}

/** The lines of a hunk with their numbers in both versions. */
export function numbered(hunk: {
  readonly before_start: number;
  readonly after_start: number;
  readonly lines: readonly Line[];
}): readonly Numbered[] {
  let [before, after] = [hunk.before_start, hunk.after_start];
  return hunk.lines.map((line) => ({
    ...line,
    before: line.kind === 'added' ? null : before++,
    after: line.kind === 'removed' ? null : after++,
  }));
}

export interface Pair {
  readonly left: Numbered | null;
  readonly right: Numbered | null;
}

/** The same lines beside each other: what was removed stands next to what was added for it. */
export function paired(lines: readonly Numbered[]): readonly Pair[] {
  const pairs: Pair[] = [];
  let removed: Numbered[] = [];
  let added: Numbered[] = [];
  const settle = () => {
    for (let row = 0; row < Math.max(removed.length, added.length); row += 1)
      pairs.push({ left: removed[row] ?? null, right: added[row] ?? null });
    removed = [];
    added = [];
  };
  for (const line of lines) {
    if (line.kind === 'removed') removed.push(line);
    else if (line.kind === 'added') added.push(line);
    else {
      settle();
      pairs.push({ left: line, right: line });
    }
  }
  settle();
  return pairs;
}
