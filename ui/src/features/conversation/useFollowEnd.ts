/** Keeps the end of a growing thread in view until the reader scrolls away; nothing then moves what they read. */
import { type RefObject, useEffect, useRef, useState } from 'react';

/** Closer to the end than this is at the end. */
const NEAR = 64;
/** What is drawn late, after loading or at the end of an answer, still belongs to what was shown. */
const SETTLING_MS = 1_500;

/** Only a text that is being written is followed: a part that the reader unfolds stays where it is. */
export function useFollowEnd(
  frame: RefObject<HTMLElement | null>,
  isGrowing: boolean,
): { readonly isAway: boolean; readonly toEnd: () => void } {
  const [isAway, setAway] = useState(false);
  const until = useRef(0);
  const toEnd = () => {
    until.current = Math.max(until.current, performance.now() + SETTLING_MS);
    frame.current?.scrollTo({ top: frame.current.scrollHeight });
  };

  useEffect(() => {
    until.current = isGrowing ? Infinity : performance.now() + SETTLING_MS;
  }, [isGrowing]);

  useEffect(() => {
    const view = frame.current;
    const content = view?.firstElementChild;
    if (!view || !content) return undefined;
    let follows = true;
    let top = view.scrollTop;
    const scrolled = () => {
      const gap = view.scrollHeight - view.scrollTop - view.clientHeight;
      // Text that grows moves the end away without any scrolling: only a way up is a wish to stay.
      if (gap < NEAR) follows = true;
      else if (view.scrollTop < top) follows = false;
      top = view.scrollTop;
      setAway(gap >= NEAR);
    };
    const grown = new ResizeObserver(() => {
      if (follows && performance.now() < until.current) view.scrollTo({ top: view.scrollHeight });
      scrolled();
    });
    view.addEventListener('scroll', scrolled, { passive: true });
    grown.observe(content);
    return () => {
      view.removeEventListener('scroll', scrolled);
      grown.disconnect();
    };
  }, [frame]);

  return { isAway, toEnd };
}
