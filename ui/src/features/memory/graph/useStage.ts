/** The stage of a picture on two canvases: made when they are there, closed with them, resized and repainted with the page. */
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Point } from './camera';
import type { Picture } from './picture';
import { canDraw, openRenderer } from './renderer';
import { Stage } from './stage';

export interface Pointed {
  readonly node: number;
  readonly at: Point;
}

/** Beyond this a sharper picture costs more than it shows. */
const SHARPEST = 2;

/** `isLarge` is taken as it is at first: how lines are drawn cannot be changed later. */
export function useStage(
  surface: RefObject<HTMLCanvasElement | null>,
  writing: RefObject<HTMLCanvasElement | null>,
  isLarge: boolean,
) {
  const stage = useRef<Stage | null>(null);
  const [isAble] = useState(canDraw);
  const [atFirst] = useState(isLarge);
  const [isSettled, setSettled] = useState(false);
  const [pointed, setPointed] = useState<Pointed | null>(null);

  useEffect(() => {
    const [canvas, labels] = [surface.current, writing.current];
    const frame = canvas?.parentElement;
    if (!canvas || !labels || !frame) return undefined;
    const renderer = openRenderer(canvas, atFirst);
    if (renderer === null) return undefined;
    const made = new Stage(canvas, labels, renderer, atFirst, {
      onHover: (node, at) => setPointed(node === null ? null : { node, at }),
      onSettled: setSettled,
    });
    stage.current = made;
    const sized = new ResizeObserver(() =>
      made.resize({ width: frame.clientWidth, height: frame.clientHeight }, Math.min(SHARPEST, devicePixelRatio)),
    );
    const themed = new MutationObserver(() => made.repaint());
    sized.observe(frame);
    themed.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => {
      sized.disconnect();
      themed.disconnect();
      made.close();
      stage.current = null;
    };
  }, [surface, writing, atFirst]);

  return { stage, isAble, isSettled, pointed };
}

export function usePicture(
  stage: RefObject<Stage | null>,
  picture: Picture,
  selected: string | undefined,
  found: ReadonlySet<number> | null,
): void {
  useEffect(() => stage.current?.show(picture), [stage, picture]);
  useEffect(
    () => stage.current?.select(selected === undefined ? null : (picture.indexOf.get(selected) ?? null)),
    [stage, picture, selected],
  );
  useEffect(() => stage.current?.find(found), [stage, found]);
}
