/** Where one looks at the picture from: pure steps of panning and zooming. */

export interface Camera {
  /** The point of the picture in the middle of the frame. */
  readonly x: number;
  readonly y: number;
  /** How many pixels a unit of the picture takes. */
  readonly scale: number;
}

export interface Frame {
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export const START: Camera = { x: 0, y: 0, scale: 1 };
const NEAREST = 12;
const FARTHEST = 0.02;
const PADDING = 48;
/** A small picture is not blown up beyond this. */
const FITTED_MOST = 2.4;

export function pan(camera: Camera, dx: number, dy: number): Camera {
  return { ...camera, x: camera.x - dx / camera.scale, y: camera.y - dy / camera.scale };
}

/** Nearer or farther, with what is under the pointer staying there. */
export function zoom(camera: Camera, factor: number, pointer: Point, frame: Frame): Camera {
  const scale = Math.min(NEAREST, Math.max(FARTHEST, camera.scale * factor));
  const fixed = toPicture(camera, pointer, frame);
  return {
    scale,
    x: fixed.x - (pointer.x - frame.width / 2) / scale,
    y: fixed.y - (pointer.y - frame.height / 2) / scale,
  };
}

export function toPicture(camera: Camera, at: Point, frame: Frame): Point {
  return {
    x: camera.x + (at.x - frame.width / 2) / camera.scale,
    y: camera.y + (at.y - frame.height / 2) / camera.scale,
  };
}

export function toFrame(camera: Camera, at: Point, frame: Frame): Point {
  return {
    x: (at.x - camera.x) * camera.scale + frame.width / 2,
    y: (at.y - camera.y) * camera.scale + frame.height / 2,
  };
}

/** From where all positions (x and y in turn) are seen. */
export function fit(positions: Float32Array, frame: Frame): Camera {
  if (positions.length === 0) return START;
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let index = 0; index < positions.length; index += 2) {
    const [x, y] = [positions[index] ?? 0, positions[index + 1] ?? 0];
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  const wide = Math.max(1, frame.width - 2 * PADDING) / Math.max(1, right - left);
  const high = Math.max(1, frame.height - 2 * PADDING) / Math.max(1, bottom - top);
  return {
    x: (left + right) / 2,
    y: (top + bottom) / 2,
    scale: Math.min(FITTED_MOST, NEAREST, Math.max(FARTHEST, Math.min(wide, high))),
  };
}

/** The node under a point of the frame, or the nearest within reach; -1 for none. */
export function nodeAt(positions: Float32Array, radii: Float32Array, camera: Camera, at: Point, frame: Frame): number {
  const REACH = 6;
  const point = toPicture(camera, at, frame);
  let [best, least] = [-1, Infinity];
  for (let node = 0; node < radii.length; node += 1) {
    const distance =
      Math.hypot((positions[2 * node] ?? 0) - point.x, (positions[2 * node + 1] ?? 0) - point.y) * camera.scale;
    if (distance > (radii[node] ?? 0) * growth(camera.scale) + REACH || distance >= least) continue;
    [best, least] = [node, distance];
  }
  return best;
}

/** Nodes grow a little with nearness, not with all of it. */
export function growth(scale: number): number {
  return Math.min(2.2, Math.max(0.4, Math.sqrt(scale)));
}
