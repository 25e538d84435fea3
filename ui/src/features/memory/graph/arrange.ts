/** A graph finds its shape: what is joined draws near, what is not keeps away. The same graph always takes the same shape. */
import { forceLink, forceManyBody, forceSimulation, forceX, forceY, type SimulationNodeDatum } from 'd3-force';

export interface LayoutTask {
  /** x and y of each node in turn; NaN where it has no place yet. */
  readonly places: Float32Array;
  readonly edges: Uint32Array;
}

export interface Arrangement {
  /** One step; true when the shape is found. */
  readonly step: () => boolean;
  readonly positions: () => Float32Array;
}

const LARGE = 1_000;
/** A large graph settles in fewer steps: the last ones move nothing that is seen. */
const DECAY = { small: 0.03, large: 0.045 } as const;
/** Where most nodes have a place already, the shape only mends. */
const MENDING = 0.25;
const DONE = 0.008;

export function arrangementOf({ places, edges }: LayoutTask): Arrangement {
  const nodes: SimulationNodeDatum[] = Array.from({ length: places.length / 2 }, (_, index) => {
    const [x, y] = [places[2 * index] ?? Number.NaN, places[2 * index + 1] ?? Number.NaN];
    return Number.isNaN(x) ? {} : { x, y };
  });
  const known = nodes.filter(({ x }) => x !== undefined).length;
  const links = Array.from({ length: edges.length / 2 }, (_, index) => ({
    source: edges[2 * index] ?? 0,
    target: edges[2 * index + 1] ?? 0,
  }));
  const simulation = forceSimulation(nodes)
    .force('links', forceLink(links).distance(34).iterations(1))
    .force(
      'apart',
      forceManyBody()
        .strength(-42)
        .theta(nodes.length > LARGE ? 1.5 : 0.9)
        .distanceMax(600),
    )
    .force('x', forceX(0).strength(0.045))
    .force('y', forceY(0).strength(0.045))
    .alpha(known > nodes.length / 2 ? MENDING : 1)
    .alphaDecay(nodes.length > LARGE ? DECAY.large : DECAY.small)
    .stop();
  return {
    step: () => {
      simulation.tick();
      return nodes.length < 2 || simulation.alpha() < DONE;
    },
    positions: () => Float32Array.from(nodes.flatMap(({ x = 0, y = 0 }) => [x, y])),
  };
}
