/** A tree as the rows that are to be seen, and what each key does there. */

export interface TreeNode {
  readonly id: string;
  readonly label: string;
  readonly children: readonly TreeNode[];
}

export interface TreeRow {
  readonly node: TreeNode;
  readonly level: number;
  readonly parent: string | null;
  readonly position: number;
  readonly size: number;
}

export function rowsOf(
  nodes: readonly TreeNode[],
  opened: ReadonlySet<string>,
  level = 1,
  parent: string | null = null,
): readonly TreeRow[] {
  return nodes.flatMap((node, index) => [
    { node, level, parent, position: index + 1, size: nodes.length },
    ...(opened.has(node.id) ? rowsOf(node.children, opened, level + 1, node.id) : []),
  ]);
}

/** The nodes above one, from the top; empty when it stands at the top or nowhere. */
export function above(nodes: readonly TreeNode[], id: string): readonly string[] {
  for (const node of nodes) {
    if (node.children.some((child) => child.id === id)) return [node.id];
    const deeper = above(node.children, id);
    if (deeper.length > 0) return [node.id, ...deeper];
  }
  return [];
}

export interface TreeMove {
  readonly focus?: string;
  readonly open?: string;
  readonly close?: string;
}

/** As the ARIA pattern has it: https://www.w3.org/WAI/ARIA/apg/patterns/treeview/ */
export function moveOf(
  key: string,
  rows: readonly TreeRow[],
  focused: string,
  opened: ReadonlySet<string>,
): TreeMove | null {
  const at = rows.findIndex(({ node }) => node.id === focused);
  const row = rows[at];
  if (!row) return null;
  const isOpen = opened.has(focused) && row.node.children.length > 0;
  const target = { ArrowDown: rows[at + 1], ArrowUp: rows[at - 1], Home: rows[0], End: rows.at(-1) }[key];
  if (target) return { focus: target.node.id };
  if (key === 'ArrowRight' && isOpen) return { focus: row.node.children[0]?.id ?? focused };
  if (key === 'ArrowRight') return row.node.children.length > 0 ? { open: focused } : {};
  if (key === 'ArrowLeft' && isOpen) return { close: focused };
  if (key === 'ArrowLeft') return row.parent === null ? {} : { focus: row.parent };
  return key.length === 1 && key !== ' ' ? typed(key, rows, at) : null;
}

/** A letter leads to the next row that begins with it. */
function typed(letter: string, rows: readonly TreeRow[], at: number): TreeMove | null {
  const round = [...rows.slice(at + 1), ...rows.slice(0, at + 1)];
  const hit = round.find(({ node }) => node.label.toLocaleLowerCase().startsWith(letter.toLocaleLowerCase()));
  return hit ? { focus: hit.node.id } : null;
}
