/** Which names are written into the picture: those that matter most, where they do not cover each other. */
import { type Camera, type Frame, growth, toFrame } from './camera';
import type { Palette } from './palette';
import type { Picture } from './picture';

export interface Label {
  readonly node: number;
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly isMarked: boolean;
}

const MOST = 45;
const LONGEST = 28;
const LINE = 15;
/** About as wide as a letter of the labels. */
const LETTER = 6.2;
const CELL = 64;

/** Marked nodes are always named; of the others the largest first, as long as there is room. */
export function labelsOf(
  picture: Picture,
  positions: Float32Array,
  camera: Camera,
  frame: Frame,
  marked: ReadonlySet<number>,
): readonly Label[] {
  const room = new Room();
  const labels: Label[] = [];
  const write = (node: number, isMarked: boolean) => {
    const { x, y } = toFrame(camera, { x: positions[2 * node] ?? 0, y: positions[2 * node + 1] ?? 0 }, frame);
    if (x < -40 || y < -10 || x > frame.width + 10 || y > frame.height + 10) return;
    const text = shortened(picture.names[node] ?? '');
    const left = x + (picture.radii[node] ?? 0) * growth(camera.scale) + 4;
    if (room.take(left, y - LINE / 2, text.length * LETTER, isMarked && marked.size <= MOST))
      labels.push({ node, text, x: left, y, isMarked });
  };
  for (const node of marked) if (labels.length < MOST) write(node, true);
  // The server gives the nodes with most facts first.
  for (let node = 0; node < picture.ids.length && labels.length < MOST; node += 1) {
    if (marked.has(node)) continue;
    if ((picture.radii[node] ?? 0) * growth(camera.scale) < 3.6) continue;
    write(node, false);
  }
  return labels;
}

/** Writes them; those that are strong, bold; where some are marked, the others faintly. */
export function writeLabels(
  context: CanvasRenderingContext2D,
  labels: readonly Label[],
  palette: Palette,
  strong: ReadonlySet<number | null>,
): void {
  context.textBaseline = 'middle';
  context.lineWidth = 3;
  context.lineJoin = 'round';
  context.strokeStyle = palette.paper;
  context.fillStyle = palette.ink;
  const isFaint = labels.some(({ isMarked }) => isMarked);
  for (const { text, x, y, isMarked, node } of labels) {
    context.font = `${strong.has(node) ? '600 ' : ''}12px Inter, system-ui, sans-serif`;
    context.globalAlpha = isFaint && !isMarked ? 0.25 : 1;
    context.strokeText(text, x, y);
    context.fillText(text, x, y);
  }
  context.globalAlpha = 1;
}

function shortened(text: string): string {
  const letters = [...text];
  return letters.length > LONGEST ? `${letters.slice(0, LONGEST - 1).join('')}…` : text;
}

/** The boxes that are taken, by cells, so that a box is compared with its neighbours only. */
class Room {
  readonly #cells = new Map<string, (readonly [number, number, number])[]>();

  take(left: number, top: number, width: number, isForced: boolean): boolean {
    const cells = this.#cellsOf(left, top, width);
    const isFree = cells.every((cell) =>
      (this.#cells.get(cell) ?? []).every(
        ([x, y, wide]) => left >= x + wide || left + width <= x || Math.abs(top - y) >= LINE,
      ),
    );
    if (!isFree && !isForced) return false;
    for (const cell of cells) this.#cells.set(cell, [...(this.#cells.get(cell) ?? []), [left, top, width]]);
    return true;
  }

  #cellsOf(left: number, top: number, width: number): readonly string[] {
    const found: string[] = [];
    for (let column = Math.floor(left / CELL); column <= Math.floor((left + width) / CELL); column += 1) {
      for (let row = Math.floor((top - LINE) / CELL); row <= Math.floor((top + LINE) / CELL); row += 1)
        found.push(`${column}:${row}`);
    }
    return found;
  }
}
