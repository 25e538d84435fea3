/** How often the picture is drawn anew. Where drawing is dear, what was drawn is moved as a sheet, and drawn again at rest. */

/** A drawing that takes longer than this is dear; one that takes less than half of it is cheap again. */
const DEAR_MS = 34;
/** After the last movement. */
const REST_MS = 130;
/** Drawing takes at most one part of so many of the time. */
const SHARE = 3;
/** A new measure counts this much. */
const NEW = 0.5;

export class Pace {
  #cost: number;
  #isDear: boolean;

  /** Until it is measured, a picture with many edges is taken for dear. */
  constructor(isLarge: boolean) {
    this.#cost = isLarge ? 2 * DEAR_MS : 0;
    this.#isDear = isLarge;
  }

  /** Whether what was drawn is moved instead of drawn anew. */
  get isDear(): boolean {
    return this.#isDear;
  }

  took(ms: number): void {
    this.#cost = (1 - NEW) * this.#cost + NEW * ms;
    if (this.#cost > DEAR_MS) this.#isDear = true;
    else if (this.#cost < DEAR_MS / 2 + 2) this.#isDear = false;
  }

  /** How long to wait with the next drawing: after a movement for the rest, after a change for its share of the time. */
  waitAfter(what: 'movement' | 'change', sinceLast: number): number {
    if (!this.#isDear) return 0;
    return Math.max(what === 'movement' ? REST_MS : 0, SHARE * this.#cost - sinceLast);
  }
}
