/** The picture on the screen: keeps the camera, draws when something changed, and says what is pointed at. */
import { type Camera, fit, type Frame, nodeAt, pan, type Point, START, toFrame, zoom } from './camera';
import { labelsOf, writeLabels } from './labels';
import { type Layout, openLayout } from './layout';
import { Pace } from './pace';
import { type Palette, paletteOf } from './palette';
import { isSameShape, type Picture, startingPlaces } from './picture';
import { openRenderer, type Renderer } from './renderer';
import { covers, layOut, move, sheetOf } from './sheet';
import { weightsOf } from './weights';

export interface StageEvents {
  /** The node under the pointer and where it is in the frame; null for none. */
  readonly onHover: (node: number | null, at: Point) => void;
  readonly onSettled: (isSettled: boolean) => void;
}

export class Stage {
  readonly #surface: HTMLCanvasElement;
  readonly #writing: HTMLCanvasElement;
  readonly #isLarge: boolean;
  readonly #events: StageEvents;
  readonly #layout: Layout;
  readonly #pace: Pace;
  #renderer: Renderer | null;
  #palette: Palette;
  #picture: Picture | null = null;
  #positions = new Float32Array();
  readonly #places = new Map<string, readonly [number, number]>();
  #camera: Camera = START;
  /** From where the sheet was drawn. */
  #drawn: Camera = START;
  #frame: Frame = { width: 1, height: 1 };
  #sheet: Frame = this.#frame;
  #ratio = 1;
  /** The camera follows the shape until someone takes it. */
  #isTaken = false;
  /** Whether there are places at all: before, there is nothing to see. */
  #hasPlaces = false;
  /** Whether the renderer knows the places: they come faster than they are drawn. */
  #isPlaced = false;
  #isSettled = false;
  #hovered: number | null = null;
  #selected: number | null = null;
  #found: ReadonlySet<number> | null = null;
  #named: ReadonlySet<number> = new Set();
  #next: { readonly timer: ReturnType<typeof setTimeout>; readonly due: number } | null = null;
  #paintedAt = 0;
  #moving = 0;

  constructor(
    surface: HTMLCanvasElement,
    writing: HTMLCanvasElement,
    renderer: Renderer,
    isLarge: boolean,
    events: StageEvents,
  ) {
    this.#surface = surface;
    this.#writing = writing;
    this.#renderer = renderer;
    this.#isLarge = isLarge;
    this.#events = events;
    this.#pace = new Pace(isLarge);
    this.#palette = paletteOf(document.documentElement);
    this.#layout = openLayout(
      (positions, isDone) => this.#place(positions, isDone),
      () => matchMedia('(prefers-reduced-motion: reduce)').matches,
    );
    surface.addEventListener('webglcontextlost', this.#lose);
    surface.addEventListener('webglcontextrestored', this.#restore);
  }

  /** Another graph; what stood before stays where it was. */
  show(picture: Picture): void {
    if (this.#picture !== null && isSameShape(this.#picture, picture)) {
      this.#picture = picture;
      this.repaint();
      return;
    }
    const selected = this.#selected === null ? undefined : this.#picture?.ids[this.#selected];
    if (this.#hasPlaces)
      this.#picture?.ids.forEach((id, index) =>
        this.#places.set(id, [this.#positions[2 * index] ?? 0, this.#positions[2 * index + 1] ?? 0]),
      );
    this.#picture = picture;
    this.#hovered = null;
    this.#found = null;
    this.#selected = selected === undefined ? null : (picture.indexOf.get(selected) ?? null);
    const places = startingPlaces(picture, this.#places);
    this.#hasPlaces = this.#places.size > 0;
    this.#positions = places.map((place) => (Number.isNaN(place) ? 0 : place));
    this.#renderer?.setPicture(picture, this.#palette);
    this.#isPlaced = false;
    this.#weigh();
    this.#settle(false);
    this.#layout.arrange({ places, edges: picture.edges });
  }

  select(node: number | null): void {
    if (this.#selected === node) return;
    this.#selected = node;
    this.#weigh();
    if (node !== null) this.#bringIntoView(node);
  }

  /** Marks the nodes that were looked for; null marks none. */
  find(found: ReadonlySet<number> | null): void {
    this.#found = found;
    this.#weigh();
  }

  hover(at: Point | null): void {
    const node =
      at === null || this.#picture === null
        ? -1
        : nodeAt(this.#positions, this.#picture.radii, this.#camera, at, this.#frame);
    const next = node < 0 ? null : node;
    if (next === this.#hovered) return;
    this.#hovered = next;
    this.#weigh();
    this.#events.onHover(next, next === null ? { x: 0, y: 0 } : toFrame(this.#camera, this.#at(next), this.#frame));
  }

  get hovered(): number | null {
    return this.#hovered;
  }

  panBy(dx: number, dy: number): void {
    this.#take(pan(this.#camera, dx, dy));
  }

  zoomBy(factor: number, pointer: Point = { x: this.#frame.width / 2, y: this.#frame.height / 2 }): void {
    this.#take(zoom(this.#camera, factor, pointer, this.#frame));
  }

  fit(): void {
    this.#isTaken = false;
    this.#camera = fit(this.#positions, this.#frame);
    this.#draw('change');
  }

  resize(frame: Frame, ratio: number): void {
    this.#frame = frame;
    this.#ratio = ratio;
    if (!this.#isTaken) this.#camera = fit(this.#positions, frame);
    // At once: a canvas is empty after its size changed.
    this.#paint();
  }

  repaint(): void {
    this.#palette = paletteOf(document.documentElement);
    if (this.#picture) this.#renderer?.setPicture(this.#picture, this.#palette);
    this.#draw('change');
  }

  close(): void {
    clearTimeout(this.#next?.timer);
    cancelAnimationFrame(this.#moving);
    this.#layout.close();
    this.#surface.removeEventListener('webglcontextlost', this.#lose);
    this.#surface.removeEventListener('webglcontextrestored', this.#restore);
  }

  #place(positions: Float32Array<ArrayBuffer>, isDone: boolean): void {
    this.#positions = positions;
    this.#hasPlaces = true;
    this.#isPlaced = false;
    if (!this.#isTaken) this.#camera = fit(positions, this.#frame);
    if (isDone) this.#settle(true);
    this.#draw('change');
  }

  #settle(isSettled: boolean): void {
    this.#isSettled = isSettled;
    this.#events.onSettled(isSettled);
  }

  #take(camera: Camera): void {
    this.#isTaken = true;
    this.#camera = camera;
    if (this.#pace.isDear) this.#moveSheet();
    this.#draw(this.#pace.isDear && covers(this.#drawn, camera, this.#frame, this.#sheet) ? 'movement' : 'change');
  }

  #moveSheet(): void {
    if (this.#moving !== 0) return;
    this.#moving = requestAnimationFrame(() => {
      this.#moving = 0;
      for (const canvas of [this.#surface, this.#writing]) move(canvas, this.#drawn, this.#camera);
    });
  }

  #bringIntoView(node: number): void {
    const { x, y } = toFrame(this.#camera, this.#at(node), this.#frame);
    if (x > 30 && y > 30 && x < this.#frame.width - 90 && y < this.#frame.height - 30) return;
    this.#take({ ...this.#camera, ...this.#at(node) });
  }

  #at(node: number): Point {
    return { x: this.#positions[2 * node] ?? 0, y: this.#positions[2 * node + 1] ?? 0 };
  }

  #weigh(): void {
    if (this.#picture === null) return;
    const { nodes, edges, named } = weightsOf(this.#picture, {
      hovered: this.#hovered,
      selected: this.#selected,
      found: this.#found,
    });
    this.#named = named;
    this.#renderer?.setWeights(nodes, edges);
    this.#draw('change');
  }

  /** A movement puts off what is due; a change does not. */
  #draw(what: 'movement' | 'change'): void {
    const now = performance.now();
    const due = now + this.#pace.waitAfter(what, now - this.#paintedAt);
    if (this.#next !== null && what === 'change' && this.#next.due <= due) return;
    clearTimeout(this.#next?.timer);
    this.#next = { due, timer: setTimeout(() => requestAnimationFrame(() => this.#paint()), due - now) };
  }

  #paint(): void {
    this.#next = null;
    this.#sheet = sheetOf(this.#frame, this.#pace.isDear);
    this.#drawn = this.#camera;
    for (const canvas of [this.#surface, this.#writing]) {
      layOut(canvas, this.#frame, this.#sheet, this.#ratio);
      move(canvas, this.#drawn, this.#camera);
    }
    this.#paintedAt = performance.now();
    if (!this.#hasPlaces) return;
    if (!this.#isPlaced) this.#renderer?.setPositions(this.#positions);
    this.#isPlaced = true;
    // While a large graph finds its shape, its nodes say enough.
    this.#renderer?.draw(this.#camera, this.#sheet, this.#ratio, this.#isLarge && !this.#isSettled);
    this.#write();
    this.#measure(this.#paintedAt);
  }

  /** A drawing that takes long holds up the frames after it: the second one tells. */
  #measure(from: number): void {
    requestAnimationFrame(() => requestAnimationFrame(() => this.#pace.took((performance.now() - from) / 2)));
  }

  #write(): void {
    const context = this.#writing.getContext('2d');
    if (context === null || this.#picture === null) return;
    context.setTransform(this.#ratio, 0, 0, this.#ratio, 0, 0);
    context.clearRect(0, 0, this.#sheet.width, this.#sheet.height);
    writeLabels(
      context,
      labelsOf(this.#picture, this.#positions, this.#camera, this.#sheet, this.#named),
      this.#palette,
      new Set([this.#hovered, this.#selected]),
    );
  }

  readonly #lose = (event: Event): void => {
    // The browser gives the context back only to those who say that they wait for it.
    event.preventDefault();
    this.#renderer = null;
  };

  readonly #restore = (): void => {
    this.#renderer = openRenderer(this.#surface, this.#isLarge);
    this.#isPlaced = false;
    this.repaint();
    this.#weigh();
  };
}
