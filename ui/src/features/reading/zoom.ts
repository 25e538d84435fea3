/** Steps of the zoom, and how finely a page must be drawn to be sharp at one of them. */

export const ZOOMS = [0.5, 0.75, 1, 1.25, 1.5, 2, 3] as const;
/** Few steps, so that the same picture serves again. */
const SCALES = [1, 1.5, 2, 3, 4] as const;

export function nextZoom(zoom: number, step: 1 | -1): number {
  const others =
    step === 1 ? ZOOMS.filter((one) => one > zoom + 0.01) : ZOOMS.filter((one) => one < zoom - 0.01).toReversed();
  return others[0] ?? zoom;
}

/** Pixels of the picture for each point of the page. */
export function scaleFor(shownPx: number, pagePoints: number, pixelRatio: number): number {
  const needed = (shownPx * pixelRatio) / Math.max(1, pagePoints);
  return SCALES.find((scale) => scale >= needed * 0.9) ?? 4;
}
