/** Draws nodes and edges with the graphics card: thousands of them cost one call each, whatever moves. */
import type { Camera, Frame } from './camera';
import { growth } from './camera';
import { type Palette, rgbOf } from './palette';
import type { Picture } from './picture';

const VIEW = `
uniform vec2 centre;
uniform vec2 reach;
vec2 place(vec2 at) { return (at - centre) * reach * vec2(1.0, -1.0); }
`;
const EDGE_VERTEX = `#version 300 es
in vec2 at;
in float weight;
out float strength;
${VIEW}
void main() { strength = weight; gl_Position = vec4(place(at), 0.0, 1.0); }`;
const EDGE_FRAGMENT = `#version 300 es
precision mediump float;
uniform vec3 colour;
uniform vec3 marked;
uniform float ink;
in float strength;
out vec4 drawn;
void main() { float alpha = strength > 0.9 ? 0.9 : strength * ink; drawn = vec4((strength > 0.9 ? marked : colour) * alpha, alpha); }`;
const NODE_VERTEX = `#version 300 es
in vec2 at;
in float radius;
in vec3 tint;
in float weight;
uniform float grown;
out vec3 colour;
out float strength;
out float size;
${VIEW}
void main() {
  colour = tint; strength = weight; size = 2.0 * (radius * grown * (weight > 0.9 ? 1.25 : 1.0) + 1.5);
  gl_PointSize = size; gl_Position = vec4(place(at), 0.0, 1.0);
}`;
const NODE_FRAGMENT = `#version 300 es
precision mediump float;
uniform vec3 paper;
in vec3 colour;
in float strength;
in float size;
out vec4 drawn;
void main() {
  float from = length(gl_PointCoord - 0.5) * size;
  float rim = size * 0.5;
  float alpha = 1.0 - smoothstep(rim - 1.0, rim, from);
  // A thin edge of paper keeps neighbours apart.
  vec3 shade = mix(colour, paper, smoothstep(rim - 2.0, rim - 1.0, from));
  alpha *= strength > 0.3 ? 1.0 : 0.22;
  drawn = vec4(shade * alpha, alpha);
}`;

export interface Renderer {
  readonly setPicture: (picture: Picture, palette: Palette) => void;
  readonly setPositions: (positions: Float32Array) => void;
  readonly setWeights: (nodes: Float32Array, edges: Float32Array) => void;
  /** `isBare` leaves the edges out. */
  readonly draw: (camera: Camera, frame: Frame, ratio: number, isBare: boolean) => void;
}

/** Whether the browser has WebGL 2. */
export function canDraw(): boolean {
  return document.createElement('canvas').getContext('webgl2') !== null;
}

/** Null where the browser has no WebGL 2. Among many lines nobody sees their edges, so smoothing them is saved. */
export function openRenderer(canvas: HTMLCanvasElement, isLarge: boolean): Renderer | null {
  const gl = canvas.getContext('webgl2', {
    antialias: !isLarge,
    alpha: true,
    premultipliedAlpha: true,
    powerPreference: 'low-power',
  });
  return gl === null ? null : new WebGlRenderer(gl);
}

class WebGlRenderer implements Renderer {
  readonly #gl: WebGL2RenderingContext;
  readonly #edges: Shape;
  readonly #nodes: Shape;
  #picture: Picture | null = null;
  #palette: Palette | null = null;

  constructor(gl: WebGL2RenderingContext) {
    this.#gl = gl;
    this.#edges = new Shape(gl, EDGE_VERTEX, EDGE_FRAGMENT, { at: 2, weight: 1 });
    this.#nodes = new Shape(gl, NODE_VERTEX, NODE_FRAGMENT, { at: 2, radius: 1, tint: 3, weight: 1 });
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }

  readonly setPicture = (picture: Picture, palette: Palette): void => {
    this.#picture = picture;
    this.#palette = palette;
    const tints = Float32Array.from([...picture.colours].flatMap((colour) => palette.nodes[colour] ?? [0.5, 0.5, 0.5]));
    this.#nodes.fill('radius', picture.radii);
    this.#nodes.fill('tint', tints);
  };

  readonly setPositions = (positions: Float32Array): void => {
    this.#nodes.fill('at', positions);
    const { edges } = this.#picture ?? { edges: new Uint32Array() };
    const ends = new Float32Array(edges.length * 2);
    for (let end = 0; end < edges.length; end += 1) {
      const node = edges[end] ?? 0;
      ends[2 * end] = positions[2 * node] ?? 0;
      ends[2 * end + 1] = positions[2 * node + 1] ?? 0;
    }
    this.#edges.fill('at', ends);
  };

  readonly setWeights = (nodes: Float32Array, edges: Float32Array): void => {
    this.#nodes.fill('weight', nodes);
    const twice = new Float32Array(edges.length * 2);
    for (let edge = 0; edge < edges.length; edge += 1) twice.fill(edges[edge] ?? 0, 2 * edge, 2 * edge + 2);
    this.#edges.fill('weight', twice);
  };

  readonly draw = (camera: Camera, frame: Frame, ratio: number, isBare: boolean): void => {
    const gl = this.#gl;
    const [picture, palette] = [this.#picture, this.#palette];
    gl.viewport(0, 0, frame.width * ratio, frame.height * ratio);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    if (picture === null || palette === null) return;
    const view = {
      centre: [camera.x, camera.y],
      reach: [(2 * camera.scale) / frame.width, (2 * camera.scale) / frame.height],
    };
    if (!isBare)
      this.#edges.draw(gl.LINES, picture.edges.length, {
        ...view,
        colour: palette.edge,
        marked: palette.accent,
        ink: [edgeStrength(picture.edges.length / 2)],
      });
    this.#nodes.draw(gl.POINTS, picture.ids.length, {
      ...view,
      grown: [growth(camera.scale) * ratio],
      paper: rgbOf(palette.paper),
    });
  };
}

/** Many lines over each other darken; few must be seen. */
function edgeStrength(edges: number): number {
  return Math.min(1, Math.max(0.3, 1.25 - 0.2 * Math.log10(Math.max(1, edges))));
}

/** A program with its buffers, one a name. */
class Shape {
  readonly #gl: WebGL2RenderingContext;
  readonly #program: WebGLProgram;
  readonly #array: WebGLVertexArrayObject;
  readonly #buffers = new Map<string, WebGLBuffer>();

  constructor(
    gl: WebGL2RenderingContext,
    vertex: string,
    fragment: string,
    attributes: Readonly<Record<string, number>>,
  ) {
    this.#gl = gl;
    this.#program = programOf(gl, vertex, fragment);
    this.#array = gl.createVertexArray();
    gl.bindVertexArray(this.#array);
    for (const [name, size] of Object.entries(attributes)) {
      const buffer = gl.createBuffer();
      const place = gl.getAttribLocation(this.#program, name);
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, size, gl.FLOAT, false, 0, 0);
      this.#buffers.set(name, buffer);
    }
  }

  fill(name: string, values: Float32Array): void {
    this.#gl.bindBuffer(this.#gl.ARRAY_BUFFER, this.#buffers.get(name) ?? null);
    this.#gl.bufferData(this.#gl.ARRAY_BUFFER, values, this.#gl.DYNAMIC_DRAW);
  }

  draw(mode: number, count: number, uniforms: Readonly<Record<string, readonly number[]>>): void {
    const gl = this.#gl;
    if (count === 0) return;
    gl.useProgram(this.#program);
    gl.bindVertexArray(this.#array);
    for (const [name, value] of Object.entries(uniforms)) {
      const place = gl.getUniformLocation(this.#program, name);
      if (value.length === 1) gl.uniform1fv(place, value);
      else if (value.length === 2) gl.uniform2fv(place, value);
      else gl.uniform3fv(place, value);
    }
    gl.drawArrays(mode, 0, count);
  }
}

function programOf(gl: WebGL2RenderingContext, vertex: string, fragment: string): WebGLProgram {
  const program = gl.createProgram();
  for (const [kind, source] of [
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ] as const) {
    const shader = gl.createShader(kind);
    if (shader === null) continue;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  return program;
}
