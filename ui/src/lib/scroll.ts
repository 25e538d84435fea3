/** Scrolling the frame that holds something: scrollIntoView would move the whole shell. */

/** How close to the edge of the frame something may stand without being moved. */
const EDGE = 24;
/** How much of the frame stays above what was scrolled to. */
const HEADROOM = 0.3;

/** Brings a part of an element into the view of the thread or page around it, unless it is there. */
export function bringIntoView(element: Element, part: Element | Range = element): void {
  const frame = element.closest<HTMLElement>('[data-thread], main');
  if (!frame) return;
  const [box, view] = [part.getBoundingClientRect(), frame.getBoundingClientRect()];
  if (box.top >= view.top + EDGE && box.bottom <= view.bottom - EDGE) return;
  frame.scrollTo({ top: frame.scrollTop + box.top - view.top - frame.clientHeight * HEADROOM });
}
