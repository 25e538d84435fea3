/** How charts look on the screen: as wide as there is room, in the colours of the theme. */
import type { Config } from 'vega-lite';
import type { ChartSpec } from '@/lib/gml/chartSpec';

const LIGHT = ['#1f5fbf', '#c96a1b', '#2f8560', '#7d55a8', '#b3261e', '#5f6b7a'];
const DARK = ['#8ab4f8', '#f0a35e', '#6fcf97', '#c5a3e8', '#ff8a80', '#a9b4c2'];

/** Colours that our own charts name, and the property of the theme that stands for each. */
const THEMED: Readonly<Record<string, string>> = { '#1b1c1e': '--ink', '#5f6268': '--ink-3', '#1f5fbf': '--accent' };

/** The spec with the colours of the theme that is shown. */
export function coloured(spec: unknown, colourOf: (property: string) => string): unknown {
  if (Array.isArray(spec)) return spec.map((one) => coloured(one, colourOf));
  if (typeof spec !== 'object' || spec === null) return spec;
  return Object.fromEntries(
    Object.entries(spec).map(([key, value]) => [
      key,
      key === 'data'
        ? value
        : ['color', 'fill', 'stroke'].includes(key) && typeof value === 'string'
          ? themed(value, colourOf)
          : coloured(value, colourOf),
    ]),
  );
}

function themed(value: string, colourOf: (property: string) => string): string {
  const property = THEMED[value.toLowerCase()];
  return property === undefined ? value : colourOf(property) || value;
}

/** A chart of a fixed width becomes as wide as its frame; one that grows by steps, or stands in rows and columns, keeps its own. */
export function isFitted({ width, encoding }: ChartSpec): boolean {
  const channels = (encoding ?? {}) as Readonly<Record<string, unknown>>;
  return typeof width === 'number' && !('row' in channels || 'column' in channels);
}

export function fitted(spec: ChartSpec): Readonly<Record<string, unknown>> {
  if (!isFitted(spec)) return spec;
  return { ...spec, width: 'container', autosize: { type: 'fit-x', contains: 'padding' } };
}

/** Labels beside bars leave room for the bars: in a narrow frame they are cut short. */
const labelLimit = (width: number) => (width > 0 ? Math.min(220, Math.round(width * 0.4)) : 220);

export function themeOf(style: CSSStyleDeclaration, theme: string, width: number): Config {
  const colour = (name: string, fallback: string) => style.getPropertyValue(name).trim() || fallback;
  const [ink, fine, line] = [colour('--ink', '#1b1c1e'), colour('--ink-3', '#5f6268'), colour('--line', '#dcdcd6')];
  const palette = theme === 'dark' ? DARK : LIGHT;
  const [first = '#1f5fbf'] = palette;
  return {
    aria: false,
    background: 'transparent',
    font: style.fontFamily || 'sans-serif',
    padding: 4,
    view: { stroke: null },
    axis: {
      labelColor: fine,
      titleColor: fine,
      labelFontSize: 12,
      titleFontSize: 12,
      titleFontWeight: 400,
      gridColor: line,
      domainColor: line,
      tickColor: line,
      labelPadding: 5,
      labelLimit: labelLimit(width),
    },
    axisX: { grid: false },
    axisY: { domain: false, ticks: false },
    legend: { labelColor: fine, titleColor: fine },
    title: {
      color: ink,
      subtitleColor: fine,
      fontSize: 14,
      fontWeight: 600,
      anchor: 'start',
      offset: 12,
      subtitlePadding: 4,
    },
    mark: { color: first, tooltip: true },
    line: { strokeWidth: 2.5 },
    bar: { cornerRadiusEnd: 2 },
    text: { color: fine },
    range: { category: palette },
  };
}
