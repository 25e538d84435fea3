/** The colours of the picture in either theme, taken from the page's own tokens. */
import { COLOURS } from './colouring';

export type Rgb = readonly [number, number, number];

export interface Palette {
  /** One a community, and the last for nodes in none. */
  readonly nodes: readonly Rgb[];
  readonly edge: Rgb;
  readonly ink: string;
  readonly paper: string;
  readonly accent: Rgb;
}

/** Told apart by people who see colours differently, and at least 3:1 against the page. Yellow is kept for evidence. */
const LIGHT = ['#1f5fbf', '#b4450f', '#1c7a45', '#8a3a9a', '#00758a', '#a3265b', '#5c6b00', '#6a4f3b'] as const;
const DARK = ['#8ab4f8', '#f0935f', '#6fcf97', '#cf9be0', '#5fc4d6', '#f08bb0', '#b3c24a', '#c7a78d'] as const;

/** The colour of a community as CSS has it, for the legend and the list. */
export function colourName(rank: number | undefined, isDark: boolean): string {
  return (
    (rank === undefined || rank >= COLOURS ? undefined : (isDark ? DARK : LIGHT)[rank]) ??
    (isDark ? '#9da1a9' : '#65686e')
  );
}

export function paletteOf(page: HTMLElement): Palette {
  const isDark = page.dataset.theme === 'dark';
  const style = getComputedStyle(page);
  const token = (name: string, otherwise: string) => style.getPropertyValue(name).trim() || otherwise;
  return {
    nodes: Array.from({ length: COLOURS + 1 }, (_, rank) => rgbOf(colourName(rank, isDark))),
    edge: rgbOf(token('--line-strong', '#8b8e94')),
    ink: token('--ink', '#1b1c1e'),
    paper: token('--surface', '#ffffff'),
    accent: rgbOf(token('--accent', '#1f5fbf')),
  };
}

/** Three figures or six: what is built may shorten a colour. */
export function rgbOf(hex: string): Rgb {
  const figures = hex.length === 4 ? hex.replaceAll(/[^#]/g, '$&$&') : hex;
  const value = Number.parseInt(figures.slice(1), 16);
  return [((value >> 16) & 255) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
}
