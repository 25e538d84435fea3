import { useQuery } from '@tanstack/react-query';
import { flushSync } from 'react-dom';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { readStored, writeStored } from '@/lib/storage';
import type { Document, ReadingPage } from '@/lib/wire';
import { spanQuery } from '../api';
import type { Span } from '../place';
import { nextZoom, scaleFor } from '../zoom';
import { type Marks, PageSheet } from './PageSheet';
import { PageTools } from './PageTools';

interface PageStackProps {
  document: Document;
  version: number;
  pages: readonly ReadingPage[];
  span: Span | null;
  /** The page to open at when no passage is marked. */
  page: number | undefined;
}

/** How far from the upper edge the passage comes to stand. */
const HEADROOM = 0.22;
const MARGIN_PX = 12;
const NO_MARKS: readonly Marks[] = [];

/** The pages of a document below each other, opened at the marked passage. */
export function PageStack({ document, version, pages, span, page }: PageStackProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const place = useQuery(spanQuery(document.id, version, span));
  const [zoom, setZoom] = useState(() => readStored('reading-zoom', 1));
  const width = useWidth(scroller);
  const [current, setCurrent] = useState(page ?? 1);
  const marks = (span === null ? undefined : place.data?.pages) ?? NO_MARKS;
  const target = marks[0]?.page ?? page ?? 1;
  const isReady = width > 0 && (span === null || !place.isPending);

  useLayoutEffect(() => {
    if (isReady) showPlace(scroller.current, target, marks);
  }, [isReady, target, marks]);

  /** What is in the middle of the view stays there. */
  function choose(next: number) {
    const view = scroller.current;
    const middle = view ? (view.scrollTop + view.clientHeight / 2) / view.scrollHeight : 0;
    flushSync(() => setZoom(next));
    writeStored('reading-zoom', next);
    view?.scrollTo({
      top: middle * view.scrollHeight - view.clientHeight / 2,
      left: (view.scrollWidth - view.clientWidth) / 2,
    });
  }

  return (
    <>
      <PageTools
        page={current}
        count={pages.length}
        zoom={zoom}
        onPage={(number) => showPage(scroller.current, number)}
        onZoom={(step) => choose(nextZoom(zoom, step))}
        onFit={() => choose(1)}
        note={noteOf(span !== null && place.isSuccess && marks.length === 0, pages[current - 1]?.is_ocr ?? false)}
      />
      {/* A region that scrolls must be reachable by the keyboard. */}
      <div
        ref={scroller}
        role="region"
        aria-label="Pages"
        tabIndex={0}
        onScroll={() => setCurrent(pageAt(scroller.current) ?? current)}
        className="relative min-h-0 flex-1 overflow-auto bg-sunken p-3 focus-visible:-outline-offset-2"
      >
        <div className="mx-auto grid gap-3" style={{ width: `${zoom * 100}%` }}>
          {pages.map((one) => (
            <PageSheet
              key={one.number}
              page={one}
              documentId={document.id}
              version={version}
              name={document.name}
              scale={scaleFor(width * zoom, one.width, devicePixelRatio)}
              marks={marks.find((mark) => mark.page === one.number)}
              scroller={scroller}
            />
          ))}
        </div>
      </div>
    </>
  );
}

function noteOf(isUnplaced: boolean, isOcr: boolean): string | undefined {
  if (isUnplaced) return 'The passage has no place on a page; see the text.';
  return isOcr ? 'Scanned: the text was recognised' : undefined;
}

/** Scrolls the container itself: scrollIntoView would move the whole shell. */
function showPlace(scroller: HTMLElement | null, page: number, marks: readonly Marks[]): void {
  const sheet = scroller?.querySelector<HTMLElement>(`[data-page="${page}"]`);
  if (!scroller || !sheet) return;
  const mark = marks.find((one) => one.page === page);
  const [x = 0, y = 0] = mark?.boxes[0] ?? [];
  if (!mark) return showPage(scroller, page);
  scroller.scrollTo({
    top: sheet.offsetTop + (y / mark.height) * sheet.offsetHeight - scroller.clientHeight * HEADROOM,
    left: (x / mark.width) * sheet.offsetWidth - MARGIN_PX,
  });
}

function showPage(scroller: HTMLElement | null, page: number): void {
  const sheet = scroller?.querySelector<HTMLElement>(`[data-page="${page}"]`);
  if (scroller && sheet) scroller.scrollTo({ top: sheet.offsetTop - MARGIN_PX });
}

/** The page that holds the upper third of what can be seen. */
function pageAt(scroller: HTMLElement | null): number | undefined {
  if (!scroller) return undefined;
  const line = scroller.scrollTop + scroller.clientHeight / 3;
  const sheets = [...scroller.querySelectorAll<HTMLElement>('[data-page]')];
  return Number((sheets.findLast((sheet) => sheet.offsetTop <= line) ?? sheets[0])?.dataset.page);
}

function useWidth(element: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!element.current) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
