/** How strongly each part of the picture is drawn: what is pointed at or chosen stands out with its neighbours, the rest steps back. */
import { neighboursOf, type Picture } from './picture';

export const WEIGHT = { faint: 0.12, usual: 0.6, marked: 1 } as const;

export interface Attention {
  readonly hovered: number | null;
  readonly selected: number | null;
  /** What was looked for; null where nothing was. */
  readonly found: ReadonlySet<number> | null;
}

export interface Weights {
  readonly nodes: Float32Array;
  readonly edges: Float32Array;
  /** What is named in any case. */
  readonly named: ReadonlySet<number>;
}

export function weightsOf(picture: Picture, { hovered, selected, found }: Attention): Weights {
  const focus = hovered ?? selected;
  const near = focus === null ? found : neighboursOf(picture, focus);
  const usual = near === null ? WEIGHT.usual : WEIGHT.faint;
  const nodes = new Float32Array(picture.ids.length).fill(usual);
  for (const node of near ?? []) nodes[node] = WEIGHT.usual;
  for (const node of [hovered, selected]) if (node !== null) nodes[node] = WEIGHT.marked;
  const edges = new Float32Array(picture.edges.length / 2).fill(usual);
  if (focus !== null) {
    for (let edge = 0; edge < edges.length; edge += 1) {
      if (picture.edges[2 * edge] === focus || picture.edges[2 * edge + 1] === focus) edges[edge] = WEIGHT.marked;
    }
  }
  return { nodes, edges, named: near ?? new Set() };
}
