/** A graph as arrays: what the layout places and the renderer draws. */
import type { Graph } from '@/lib/memoryWire';
import { type Colouring, NO_COLOUR } from './colouring';

export interface Picture {
  readonly ids: readonly string[];
  readonly names: readonly string[];
  readonly indexOf: ReadonlyMap<string, number>;
  /** The two ends of each edge, in turn. */
  readonly edges: Uint32Array;
  readonly radii: Float32Array;
  /** Which colour each node has. */
  readonly colours: Uint8Array;
}

export function pictureOf({ nodes, edges }: Graph, colouring: Colouring): Picture {
  const indexOf = new Map(nodes.map(({ id }, index) => [id, index]));
  const ends: number[] = [];
  for (const { source, target } of edges) {
    const [from, to] = [indexOf.get(source), indexOf.get(target)];
    if (from !== undefined && to !== undefined && from !== to) ends.push(from, to);
  }
  return {
    ids: nodes.map(({ id }) => id),
    names: nodes.map(({ name }) => name),
    indexOf,
    edges: Uint32Array.from(ends),
    radii: Float32Array.from(nodes, ({ degree }) => radiusOf(degree)),
    colours: Uint8Array.from(nodes, (node) => colouring.rankOf(node) ?? NO_COLOUR),
  };
}

/** Whether two pictures differ in colours at most: then what is arranged stays so. */
export function isSameShape(a: Picture, b: Picture): boolean {
  const isSame = a.ids.length === b.ids.length && a.edges.length === b.edges.length;
  return (
    isSame && a.ids.every((id, index) => b.ids[index] === id) && a.edges.every((end, index) => b.edges[index] === end)
  );
}

/** Larger for more facts, yet never so large that it hides its neighbours. */
export function radiusOf(degree: number): number {
  return Math.min(13, 3.5 + 1.5 * Math.sqrt(degree));
}

/** Where nodes stood before; a new one begins beside a neighbour that has a place, so that it does not fly through the picture. */
export function startingPlaces(picture: Picture, known: ReadonlyMap<string, readonly [number, number]>): Float32Array {
  const places = new Float32Array(picture.ids.length * 2).fill(Number.NaN);
  picture.ids.forEach((id, index) => {
    const place = known.get(id);
    if (place) places.set(place, 2 * index);
  });
  const placed = places.slice();
  for (let edge = 0; edge < picture.edges.length; edge += 2) {
    const [from, to] = [picture.edges[edge] ?? 0, picture.edges[edge + 1] ?? 0];
    beside(placed, places, from, to);
    beside(placed, places, to, from);
  }
  return places;
}

function beside(placed: Float32Array, places: Float32Array, node: number, neighbour: number): void {
  const x = placed[2 * neighbour] ?? Number.NaN;
  if (Number.isNaN(x) || !Number.isNaN(places[2 * node] ?? 0)) return;
  // Spread by its number: equal places would push each other apart at random.
  places.set([x + 18 * Math.cos(node), (placed[2 * neighbour + 1] ?? 0) + 18 * Math.sin(node)], 2 * node);
}

/** Each node's neighbours, itself included. */
export function neighboursOf({ edges }: Picture, node: number): ReadonlySet<number> {
  const found = new Set([node]);
  for (let edge = 0; edge < edges.length; edge += 2) {
    if (edges[edge] === node) found.add(edges[edge + 1] ?? 0);
    if (edges[edge + 1] === node) found.add(edges[edge] ?? 0);
  }
  return found;
}
