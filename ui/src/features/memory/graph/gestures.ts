/** Pointers and keys on the picture: dragging, pinching, the wheel, arrows. A press that does not move chooses. */
import type { KeyboardEvent, PointerEvent } from 'react';
import type { Point } from './camera';
import type { Stage } from './stage';

/** A hand is never quite still. */
const STILL = 4;
const STEP = 48;
const NEARER = 1.25;

interface Held {
  readonly start: Point;
  last: Point;
}

export class Gestures {
  readonly #held = new Map<number, Held>();
  #isMoved = false;

  down(event: PointerEvent<HTMLElement>): void {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const at = pointOf(event);
    this.#held.set(event.pointerId, { start: at, last: at });
    if (this.#held.size === 1) this.#isMoved = false;
  }

  move(event: PointerEvent<HTMLElement>, stage: Stage): void {
    const at = pointOf(event);
    const held = this.#held.get(event.pointerId);
    if (!held) {
      stage.hover(at);
      return;
    }
    const other = [...this.#held].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      stage.zoomBy(distance(at, other.last) / Math.max(1, distance(held.last, other.last)), middle(at, other.last));
      this.#isMoved = true;
    } else if (this.#isMoved || distance(at, held.start) > STILL) {
      stage.panBy(at.x - held.last.x, at.y - held.last.y);
      this.#isMoved = true;
    } else return;
    held.last = at;
  }

  /** The node that was chosen, null for the empty ground, undefined where nothing was chosen. */
  up(event: PointerEvent<HTMLElement>, stage: Stage): number | null | undefined {
    if (!this.#held.delete(event.pointerId) || this.#isMoved) return undefined;
    stage.hover(pointOf(event));
    return stage.hovered;
  }

  leave(stage: Stage): void {
    if (this.#held.size === 0) stage.hover(null);
  }
}

/** True when the key meant the picture. */
export function pressed(event: KeyboardEvent, stage: Stage): boolean {
  const ways: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => stage.panBy(STEP, 0),
    ArrowRight: () => stage.panBy(-STEP, 0),
    ArrowUp: () => stage.panBy(0, STEP),
    ArrowDown: () => stage.panBy(0, -STEP),
    '+': () => stage.zoomBy(NEARER),
    '=': () => stage.zoomBy(NEARER),
    '-': () => stage.zoomBy(1 / NEARER),
    '0': () => stage.fit(),
  };
  const way = event.ctrlKey || event.metaKey || event.altKey ? undefined : ways[event.key];
  way?.();
  return way !== undefined;
}

/** Wheels tell lines or pixels; a step of either is the same nearness. */
export function wheelFactor({ deltaY, deltaMode }: Pick<WheelEvent, 'deltaY' | 'deltaMode'>): number {
  const pixels = deltaMode === 1 ? deltaY * 16 : deltaY;
  return Math.exp(-Math.max(-200, Math.min(200, pixels)) * 0.0022);
}

function pointOf(event: PointerEvent<HTMLElement>): Point {
  const box = event.currentTarget.getBoundingClientRect();
  return { x: event.clientX - box.left, y: event.clientY - box.top };
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

function middle(a: Point, b: Point): Point {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}
