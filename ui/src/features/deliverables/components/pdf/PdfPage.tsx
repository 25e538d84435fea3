import type { PDFDocumentProxy } from 'pdfjs-dist';
import { useEffect, useRef, useState } from 'react';
import { drawPage } from '../../pdf';

const NEAR = '600px';
/** As tall as a sheet of A4 until its size is known. */
const USUAL_SHAPE = '210 / 297';

/** One page: a picture for the eye, its words for those who select or listen. */
export function PdfPage({ pdf, number }: { pdf: PDFDocumentProxy; number: number }) {
  const sheet = useRef<HTMLLIElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const words = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  const [shape, setShape] = useState(USUAL_SHAPE);
  const [hasFailed, setFailed] = useState(false);

  useEffect(() => {
    const watcher = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), { rootMargin: NEAR });
    if (sheet.current) watcher.observe(sheet.current);
    return () => watcher.disconnect();
  }, []);
  useEffect(() => {
    if (!isNear || !canvas.current || !words.current) return undefined;
    const drawing = drawPage(pdf, number, { canvas: canvas.current, words: words.current });
    drawing.done.then(setShape, () => setFailed(true));
    return drawing.stop;
  }, [pdf, number, isNear]);

  return (
    <li
      ref={sheet}
      data-page={number}
      aria-label={`Page ${number}`}
      className="paper relative overflow-hidden"
      style={{ aspectRatio: shape }}
    >
      <canvas ref={canvas} aria-hidden className="block w-full" />
      <div ref={words} className="pdf-words" />
      {hasFailed && <p className="absolute inset-0 grid place-items-center text-sm">This page cannot be drawn.</p>}
    </li>
  );
}
