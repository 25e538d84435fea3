/** Which Vega-Lite a chart may be: data inside, known marks, channels and settings. No expression, no address, no link. The server keeps the same. */

type Json = Readonly<Record<string, unknown>>;

/** A spec that holds nothing but what is on the lists below. */
export interface ChartSpec extends Json {
  readonly data: { readonly values: readonly Readonly<Record<string, Scalar>>[] };
}

export type Scalar = string | number | boolean | null;

const SCHEMA = 'https://vega.github.io/schema/vega-lite/v6.json';
const MOST_ROWS = 2_000;
const MOST_FIELDS = 24;
const MOST_LAYERS = 8;
const LONGEST = 500;
const SIZE = { least: 60, most: 1_600, usual: 560 } as const;
const STEP = { least: 8, most: 80 } as const;
const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const MARKS = words('bar line area point circle square tick rule rect arc text trail');
const CHANNELS = words(
  'x y x2 y2 xOffset yOffset color fill stroke opacity size shape text theta radius order detail row column strokeDash',
);
const MARK_KEYS = words(
  'type color fill stroke opacity filled size point align baseline dx dy angle fontSize fontWeight interpolate strokeWidth strokeDash innerRadius outerRadius padAngle cornerRadius cornerRadiusEnd orient thickness limit line',
);
const AXIS_KEYS = words('title format labelAngle tickCount grid labels ticks domain orient values');
const SCALE_KEYS = words('domain range zero nice type padding paddingInner paddingOuter reverse');
const LEGEND_KEYS = words('title orient columns');
const CHANNEL_SCALARS = words('field type title aggregate timeUnit format stack bin value datum');
const COLOURS = words('color fill stroke');
const COLOUR = /^(?:#[0-9a-fA-F]{3,8}|[a-z]{3,20})$/;
const SORTS = words('ascending descending x -x y -y');

/** The spec with all that is known and nothing else; null when that is no chart. */
export function safeSpec(said: unknown): ChartSpec | null {
  if (!isObject(said)) return null;
  const data = dataOf(said.data);
  const kept = { ...viewOf(said), ...sizeOf(said), ...titleOf(said.title) };
  if (data === null || !('mark' in kept || 'layer' in kept)) return null;
  return { $schema: SCHEMA, data, ...kept };
}

/** Mark, encoding and layers: of a chart, or of a layer of one. */
function viewOf(spec: Json): Json {
  const mark = markOf(spec.mark);
  const layers = Array.isArray(spec.layer) ? spec.layer.slice(0, MOST_LAYERS).flatMap(layerOf) : [];
  return {
    ...(mark !== null && { mark }),
    ...(isObject(spec.encoding) && { encoding: picked(spec.encoding, CHANNELS, channelOf) }),
    ...(layers.length > 0 && { layer: layers }),
  };
}

function layerOf(layer: unknown): readonly Json[] {
  if (!isObject(layer)) return [];
  const view = viewOf(layer);
  const own = dataOf(layer.data);
  return 'mark' in view || 'layer' in view ? [{ ...view, ...(own !== null && { data: own }) }] : [];
}

function dataOf(data: unknown): ChartSpec['data'] | null {
  const values: unknown = isObject(data) ? data.values : null;
  if (!Array.isArray(values)) return null;
  const rows = values.slice(0, MOST_ROWS).filter(isObject).map(rowOf);
  return rows.length === 0 ? null : { values: rows };
}

function rowOf(row: Json): Readonly<Record<string, Scalar>> {
  const fields = Object.entries(row).slice(0, MOST_FIELDS);
  return Object.fromEntries(
    fields.flatMap(([key, value]) => (isScalar(value) ? [[key.slice(0, LONGEST), cut(value)]] : [])),
  );
}

function markOf(mark: unknown): Json | null {
  const whole = typeof mark === 'string' ? { type: mark } : mark;
  if (!isObject(whole) || typeof whole.type !== 'string' || !MARKS.has(whole.type)) return null;
  const kept = picked(whole, MARK_KEYS, (value, key) => (isMarkValue(key, value) ? cut(value) : undefined));
  const bands = picked(whole, words('width height'), bandOf);
  return { ...kept, ...bands };
}

function isMarkValue(key: string, value: unknown): boolean {
  if (COLOURS.has(key)) return typeof value === 'string' && COLOUR.test(value);
  return isScalar(value) || (Array.isArray(value) && value.every((each) => typeof each === 'number'));
}

function bandOf(size: unknown): unknown {
  if (isObject(size)) return typeof size.band === 'number' ? { band: size.band } : undefined;
  return typeof size === 'number' ? size : undefined;
}

const PARTS: Readonly<Record<string, (part: unknown) => unknown>> = {
  axis: (part) => plain(part, AXIS_KEYS),
  scale: (part) => plain(part, SCALE_KEYS) ?? {},
  legend: (part) => plain(part, LEGEND_KEYS),
  sort: sortOf,
};

function channelOf(channel: unknown): Json | undefined {
  if (!isObject(channel)) return undefined;
  const kept = picked(channel, CHANNEL_SCALARS, (value) => (isScalar(value) ? cut(value) : undefined));
  const parts = Object.entries(PARTS).flatMap(([key, keep]) =>
    Object.hasOwn(channel, key) ? [[key, keep(channel[key])]] : [],
  );
  const whole = { ...kept, ...Object.fromEntries(parts) };
  return Object.keys(whole).length === 0 ? undefined : whole;
}

function sortOf(sort: unknown): unknown {
  if (Array.isArray(sort)) return sort.slice(0, MOST_ROWS).filter(isScalar).map(cut);
  return typeof sort === 'string' && SORTS.has(sort) ? sort : null;
}

/** A part with settings that are scalars or lists of such; null turns it off. */
function plain(part: unknown, keys: ReadonlySet<string>): Json | null {
  if (!isObject(part)) return null;
  return picked(part, keys, (value) => {
    if (isScalar(value)) return cut(value);
    return Array.isArray(value) && value.every(isScalar) ? value.slice(0, MOST_ROWS).map(cut) : undefined;
  });
}

function sizeOf(spec: Json): Json {
  return {
    width: SIZE.usual,
    ...picked(spec, words('width height'), (size) => (isObject(size) ? stepOf(size.step) : numberIn(size))),
  };
}

function stepOf(step: unknown): Json | undefined {
  return typeof step === 'number' ? { step: Math.min(Math.max(step, STEP.least), STEP.most) } : undefined;
}

function numberIn(size: unknown): number | undefined {
  return typeof size === 'number' && Math.trunc(size) >= SIZE.least && Math.trunc(size) <= SIZE.most ? size : undefined;
}

function titleOf(title: unknown): Json {
  const whole = typeof title === 'string' ? { text: title } : title;
  if (!isObject(whole) || typeof whole.text !== 'string') return {};
  return {
    title: picked(whole, words('text subtitle'), (value) => (typeof value === 'string' ? cut(value) : undefined)),
  };
}

/** The entries that are on a list, each as it is kept; what is kept as undefined is left out. */
function picked(from: Json, keys: ReadonlySet<string>, keep: (value: unknown, key: string) => unknown): Json {
  const entries = Object.entries(from).filter(([key]) => keys.has(key));
  return Object.fromEntries(
    entries.map(([key, value]) => [key, keep(value, key)]).filter(([, value]) => value !== undefined),
  );
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isScalar(value: unknown): value is Scalar {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function cut<Value>(value: Value): Value | string {
  return typeof value === 'string' ? value.slice(0, LONGEST) : value;
}
