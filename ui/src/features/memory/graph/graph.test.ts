import { describe, expect, test, vi } from 'vitest';
import { graphOf, nodeOf } from '../testing';
import { arrangementOf } from './arrange';
import { fit, nodeAt, pan, START, toFrame, toPicture, zoom } from './camera';
import { COLOURS, colouringOf, NO_COLOUR } from './colouring';
import { wheelFactor } from './gestures';
import { labelsOf } from './labels';
import { Pace } from './pace';
import { rgbOf } from './palette';
import { isSameShape, neighboursOf, type Picture, pictureOf, startingPlaces } from './picture';
import { covers, sheetOf, shiftOf } from './sheet';
import { WEIGHT, weightsOf } from './weights';

const FRAME = { width: 800, height: 600 };
const GRAPH = graphOf(
  [nodeOf('a', { degree: 2 }), nodeOf('b'), nodeOf('c'), nodeOf('d', { degree: 0 })],
  ['a-b', 'a-c', 'a-a', 'a-gone'],
);
const PICTURE = pictureOf(GRAPH, colouringOf(GRAPH, []));
function shapeOf({ ids, edges }: Picture): Float32Array {
  const arrangement = arrangementOf({ places: new Float32Array(2 * ids.length).fill(Number.NaN), edges });
  while (!arrangement.step());
  return arrangement.positions();
}

const PLACES = Float32Array.of(0, 0, 100, 0, 0, 100, -50, -50);

describe('the camera', () => {
  test('keeps what is under the pointer there while it zooms', () => {
    const pointer = { x: 200, y: 500 };
    const before = toPicture(START, pointer, FRAME);
    const near = zoom(pan(START, 40, -30), 3, pointer, FRAME);
    expect(toFrame(zoom(START, 2.5, pointer, FRAME), before, FRAME)).toEqual(pointer);
    expect(near.scale).toBe(3);
    expect(zoom(START, 1e9, pointer, FRAME).scale).toBeLessThan(100);
  });

  test('sees everything from where it fits, also a single point or nothing', () => {
    const camera = fit(PLACES, FRAME);
    for (let node = 0; node < 4; node += 1) {
      const { x, y } = toFrame(camera, { x: PLACES[2 * node] ?? 0, y: PLACES[2 * node + 1] ?? 0 }, FRAME);
      expect(x >= 0 && y >= 0 && x <= FRAME.width && y <= FRAME.height).toBe(true);
    }
    expect(fit(Float32Array.of(5, 5), FRAME)).toMatchObject({ x: 5, y: 5 });
    expect(fit(new Float32Array(), FRAME)).toEqual(START);
  });

  test('points at the nearest node within reach', () => {
    expect(nodeAt(PLACES, PICTURE.radii, START, { x: 403, y: 302 }, FRAME)).toBe(0);
    expect(nodeAt(PLACES, PICTURE.radii, START, { x: 450, y: 350 }, FRAME)).toBe(-1);
  });

  test('zooms alike for wheels that tell lines or pixels, and never by leaps', () => {
    expect(wheelFactor({ deltaY: -3, deltaMode: 1 })).toBeCloseTo(wheelFactor({ deltaY: -48, deltaMode: 0 }));
    expect(wheelFactor({ deltaY: -1e6, deltaMode: 0 })).toBeLessThan(2);
  });
});

describe('a picture', () => {
  test('has the edges between the nodes it shows, and none from a node to itself', () => {
    expect([...PICTURE.edges]).toEqual([0, 1, 0, 2]);
    expect([...neighboursOf(PICTURE, 0)]).toEqual([0, 1, 2]);
    expect([...neighboursOf(PICTURE, 3)]).toEqual([3]);
  });

  test('is coloured by community, the largest first; by kind where there are none', () => {
    const nodes = [
      nodeOf('a', { community: 'x', labels: ['person'] }),
      nodeOf('b', { community: 'y' }),
      nodeOf('c', { community: 'y' }),
      nodeOf('d'),
    ];
    const colouring = colouringOf(graphOf(nodes), [{ id: 'y', name: 'Acme and its people' }]);
    expect(nodes.map((node) => colouring.rankOf(node))).toEqual([1, 0, 0, undefined]);
    expect(colouring.legend).toEqual([
      { name: 'Acme and its people', size: 2 },
      { name: 'Unnamed', size: 1 },
    ]);
    expect(colouringOf(graphOf([nodeOf('a', { labels: ['person'] })]), []).legend).toEqual([
      { name: 'person', size: 1 },
    ]);
    const many = Array.from({ length: 20 }, (_, index) => nodeOf(`n${index}`, { community: `c${index}` }));
    const ranked = pictureOf(graphOf(many), colouringOf(graphOf(many), []));
    expect(ranked.colours.filter((colour) => colour === NO_COLOUR)).toHaveLength(20 - COLOURS);
  });

  test('that differs in colours alone keeps its shape', () => {
    const named = graphOf(
      GRAPH.nodes.map((node) => ({ ...node, community: 'x' })),
      ['a-b', 'a-c'],
    );
    expect(isSameShape(PICTURE, pictureOf(named, colouringOf(named, [])))).toBe(true);
    const fewer = graphOf(GRAPH.nodes, ['a-b', 'b-c']);
    expect(isSameShape(PICTURE, pictureOf(fewer, colouringOf(fewer, [])))).toBe(false);
  });

  test('keeps nodes where they stood, and puts new ones beside their neighbours', () => {
    const places = startingPlaces(PICTURE, new Map([['a', [10, 20]]]));
    expect(places.slice(0, 2)).toEqual(Float32Array.of(10, 20));
    expect(Math.hypot((places[2] ?? 0) - 10, (places[3] ?? 0) - 20)).toBeCloseTo(18, 3);
    expect(places[6]).toBeNaN();
  });

  test('finds the same shape each time, with what is joined nearer than what is not', () => {
    const found = shapeOf(PICTURE);
    expect(found).toEqual(shapeOf(PICTURE));
    const distance = (a: number, b: number) =>
      Math.hypot((found[2 * a] ?? 0) - (found[2 * b] ?? 0), (found[2 * a + 1] ?? 0) - (found[2 * b + 1] ?? 0));
    expect(distance(0, 1)).toBeLessThan(distance(0, 3));
  });

  test('lets what is pointed at stand out with its neighbours', () => {
    const { nodes, edges, named } = weightsOf(PICTURE, { hovered: 1, selected: null, found: null });
    expect([...nodes].map((weight) => weight.toFixed(2))).toEqual(
      [WEIGHT.usual, WEIGHT.marked, WEIGHT.faint, WEIGHT.faint].map((weight) => weight.toFixed(2)),
    );
    expect([edges[0], edges[1]?.toFixed(2)]).toEqual([1, '0.12']);
    expect([...named].toSorted()).toEqual([0, 1]);
    expect(weightsOf(PICTURE, { hovered: null, selected: null, found: null }).named.size).toBe(0);
  });

  test('writes names that do not cover each other, and marked ones in any case', () => {
    const crowd = Array.from({ length: 30 }, (_, index) => nodeOf(`someone with a long name ${index}`, { degree: 9 }));
    const picture = pictureOf(graphOf(crowd), colouringOf(graphOf(crowd), []));
    const places = new Float32Array(60);
    expect(labelsOf(picture, places, START, FRAME, new Set())).toHaveLength(1);
    expect(labelsOf(picture, places, START, FRAME, new Set([28, 29])).filter(({ isMarked }) => isMarked)).toHaveLength(
      2,
    );
    expect(labelsOf(picture, places.fill(9_999), START, FRAME, new Set())).toEqual([]);
  });

  test('reads colours of three figures and of six', () => {
    expect(rgbOf('#fff')).toEqual(rgbOf('#ffffff'));
    expect(rgbOf('#0f0')).toEqual([0, 1, 0]);
  });
});

describe('the pace of drawing', () => {
  test('draws at once while that is cheap, and rests when it is dear', () => {
    const pace = new Pace(false);
    expect(pace.waitAfter('movement', 0)).toBe(0);
    for (let frame = 0; frame < 4; frame += 1) pace.took(120);
    expect(pace.isDear).toBe(true);
    expect(pace.waitAfter('movement', 10_000)).toBeGreaterThan(100);
    expect(pace.waitAfter('change', 10_000)).toBe(0);
    expect(pace.waitAfter('change', 0)).toBeGreaterThan(200);
    for (let frame = 0; frame < 12; frame += 1) pace.took(16);
    expect(pace.isDear).toBe(false);
  });

  test('moves a sheet that is larger than the frame, as long as it covers it', () => {
    const sheet = sheetOf(FRAME, true);
    expect(sheetOf(FRAME, false)).toEqual(FRAME);
    expect(shiftOf(START, pan(START, 30, -20))).toMatchObject({ dx: 30, dy: -20, scale: 1 });
    expect(covers(START, pan(START, 150, 100), FRAME, sheet)).toBe(true);
    expect(covers(START, pan(START, 250, 0), FRAME, sheet)).toBe(false);
    expect(covers(START, zoom(START, 0.5, { x: 400, y: 300 }, FRAME), FRAME, sheet)).toBe(false);
  });
});

test('where there is no WebGL the list is offered instead', async () => {
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  const { canDraw, openRenderer } = await import('./renderer');
  expect(canDraw()).toBe(false);
  expect(openRenderer(document.createElement('canvas'), false)).toBeNull();
  vi.restoreAllMocks();
});
