/** What the colours of the picture mean: communities where they were found, else kinds of nodes. */
import type { Community, Graph, GraphNode } from '@/lib/memoryWire';

/** How many have a colour of their own. */
export const COLOURS = 8;
export const NO_COLOUR = COLOURS;

export interface Colouring {
  /** The place of a node's colour; undefined for none. */
  readonly rankOf: (node: GraphNode) => number | undefined;
  /** What each colour stands for, in the order of the colours. */
  readonly legend: readonly { readonly name: string; readonly size: number }[];
  readonly isByCommunity: boolean;
}

/** The largest first; the same graph always gives the same colours. */
export function colouringOf(
  { nodes }: Pick<Graph, 'nodes'>,
  communities: readonly Pick<Community, 'id' | 'name'>[],
): Colouring {
  const isByCommunity = nodes.some(({ community }) => community !== null);
  const keyOf = ({ community, labels }: GraphNode) => (isByCommunity ? community : (labels[0] ?? null));
  const sizes = new Map<string, number>();
  for (const node of nodes) {
    const key = keyOf(node);
    if (key !== null) sizes.set(key, (sizes.get(key) ?? 0) + 1);
  }
  const largest = [...sizes].toSorted(([a, many], [b, few]) => few - many || a.localeCompare(b)).slice(0, COLOURS);
  const ranks = new Map(largest.map(([key], rank) => [key, rank]));
  const names = new Map(communities.map(({ id, name }) => [id, name]));
  return {
    rankOf: (node) => ranks.get(keyOf(node) ?? ''),
    legend: largest.map(([key, size]) => ({ name: isByCommunity ? (names.get(key) ?? 'Unnamed') : key, size })),
    isByCommunity,
  };
}
