/** The sheet the picture is drawn on: larger than its frame where it is moved about instead of drawn anew. */
import type { Camera, Frame } from './camera';

/** How far the sheet reaches over the frame on each side, as a part of it. */
const MARGIN = 0.25;

export function sheetOf(frame: Frame, isMoved: boolean): Frame {
  const margin = isMoved ? MARGIN : 0;
  return { width: Math.round(frame.width * (1 + 2 * margin)), height: Math.round(frame.height * (1 + 2 * margin)) };
}

/** How the sheet that was drawn from one place lies when it is looked at from another. */
export function shiftOf(
  drawn: Camera,
  now: Camera,
): { readonly dx: number; readonly dy: number; readonly scale: number } {
  return { dx: (drawn.x - now.x) * now.scale, dy: (drawn.y - now.y) * now.scale, scale: now.scale / drawn.scale };
}

/** Whether the sheet still covers the frame. */
export function covers(drawn: Camera, now: Camera, frame: Frame, sheet: Frame): boolean {
  const { dx, dy, scale } = shiftOf(drawn, now);
  return (
    sheet.width * scale - 2 * Math.abs(dx) >= frame.width && sheet.height * scale - 2 * Math.abs(dy) >= frame.height
  );
}

/** Gives a canvas the size of the sheet, in the middle of the frame. */
export function layOut(canvas: HTMLCanvasElement, frame: Frame, sheet: Frame, ratio: number): void {
  const [width, height] = [Math.round(sheet.width * ratio), Math.round(sheet.height * ratio)];
  // Setting a size empties a canvas, also where it is the same.
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  canvas.style.width = `${sheet.width}px`;
  canvas.style.height = `${sheet.height}px`;
  canvas.style.left = `${(frame.width - sheet.width) / 2}px`;
  canvas.style.top = `${(frame.height - sheet.height) / 2}px`;
}

export function move(canvas: HTMLCanvasElement, drawn: Camera, now: Camera): void {
  const { dx, dy, scale } = shiftOf(drawn, now);
  canvas.style.transform = dx === 0 && dy === 0 && scale === 1 ? '' : `translate(${dx}px, ${dy}px) scale(${scale})`;
}
