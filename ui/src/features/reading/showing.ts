/** Brings the marked passage into view, inside of the element that scrolls. */
import type { Span } from './place';

/** How far from the upper edge the passage comes to stand. */
const HEADROOM = 0.22;
/** Blocks are measured only once they are near, which moves what stands below them. */
const FRAMES = 12;
const NEAR_PX = 1;

/** Keeps the passage in its place until what stands around it has been measured; returns how to stop. */
export function keepInView(scroller: HTMLElement, span: Span): () => void {
  let left = FRAMES;
  let frame = 0;
  const step = () => {
    showPassage(scroller, span);
    left -= 1;
    if (left > 0) frame = requestAnimationFrame(step);
  };
  step();
  return () => cancelAnimationFrame(frame);
}

/** Scrolls the container itself: scrollIntoView would move the whole shell. */
function showPassage(scroller: HTMLElement, { start, end }: Span): void {
  const mark = scroller.querySelector<HTMLElement>(`[data-passage="${start}-${end}"]`);
  if (!mark) return;
  const away =
    mark.getBoundingClientRect().top - scroller.getBoundingClientRect().top - scroller.clientHeight * HEADROOM;
  if (Math.abs(away) > NEAR_PX) scroller.scrollTo({ top: scroller.scrollTop + away });
}
