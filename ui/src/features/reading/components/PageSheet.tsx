import { type RefObject, useEffect, useRef, useState } from 'react';
import { usePicture } from '@/lib/picture';
import { messageOf } from '@/lib/problem';
import type { ReadingPage } from '@/lib/wire';
import { pagePath } from '../api';

/** The passage on this page: a box a line, in points. */
export interface Marks {
  readonly page: number;
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly (readonly number[])[];
}

interface PageSheetProps {
  page: ReadingPage;
  documentId: string;
  version: number;
  name: string;
  scale: number;
  marks: Marks | undefined;
  scroller: RefObject<HTMLElement | null>;
}

/** One page as a picture with the passage marked on it. It takes its room at once and is fetched when it comes near. */
export function PageSheet({ page, documentId, version, name, scale, marks, scroller }: PageSheetProps) {
  const sheet = useRef<HTMLDivElement>(null);
  const isNear = useNear(sheet, scroller);
  return (
    <div
      ref={sheet}
      data-page={page.number}
      className="paper relative w-full"
      style={{ aspectRatio: `${page.width} / ${page.height}` }}
    >
      {isNear && (
        <PagePicture path={pagePath(documentId, version, page.number, scale)} alt={`Page ${page.number} of ${name}`} />
      )}
      {marks?.boxes.map(([x0 = 0, y0 = 0, x1 = 0, y1 = 0]) => (
        <span
          key={`${x0} ${y0}`}
          className="paper-mark absolute"
          style={{
            left: `${(x0 / marks.width) * 100}%`,
            top: `${(y0 / marks.height) * 100}%`,
            width: `${((x1 - x0) / marks.width) * 100}%`,
            height: `${((y1 - y0) / marks.height) * 100}%`,
          }}
        />
      ))}
    </div>
  );
}

function PagePicture({ path, alt }: { path: string; alt: string }) {
  const picture = usePicture(path);
  if (picture.state === 'failed')
    return <p className="absolute inset-x-4 top-1/3 text-center text-sm">{messageOf(picture.error)}</p>;
  return picture.state === 'shown' && <img src={picture.src} alt={alt} className="absolute inset-0 size-full" />;
}

/** Whether an element is within a screen's height of what can be seen. */
function useNear(element: RefObject<HTMLElement | null>, scroller: RefObject<HTMLElement | null>): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (!element.current) return undefined;
    const observer = new IntersectionObserver(([entry]) => setNear(entry?.isIntersecting ?? false), {
      root: scroller.current,
      rootMargin: '100% 0px',
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, scroller]);
  return isNear;
}
