import type { PDFDocumentProxy } from 'pdfjs-dist';
import { useEffect, useState } from 'react';
import { Skeleton } from '@/components/Loaded';
import { Notice } from '@/components/Notice';
import { count } from '@/lib/format';
import { messageOf } from '@/lib/problem';
import { openPdf } from '../../pdf';
import { PdfPage } from './PdfPage';

type Opened =
  | { readonly state: 'waiting' }
  | { readonly state: 'open'; readonly pdf: PDFDocumentProxy }
  | { readonly state: 'failed'; readonly error: unknown };

/** A PDF page below page; each is drawn when it comes into view. */
export default function PdfPages({ path, title }: { path: string; title: string }) {
  const [opened, setOpened] = useState<Opened>({ state: 'waiting' });
  useEffect(() => {
    const opening = openPdf(path);
    let isGone = false;
    opening.pdf.then(
      (pdf) => isGone || setOpened({ state: 'open', pdf }),
      (error: unknown) => isGone || setOpened({ state: 'failed', error }),
    );
    return () => {
      isGone = true;
      opening.close();
    };
  }, [path]);

  if (opened.state === 'waiting') return <Skeleton rows={8} />;
  if (opened.state === 'failed') return <Notice tone="bad">{messageOf(opened.error)}</Notice>;
  const { pdf } = opened;
  return (
    <section aria-label={`${title}, ${count(pdf.numPages, 'page')}`}>
      <div
        role="region"
        aria-label="Pages"
        tabIndex={0}
        className="max-h-[80vh] overflow-auto rounded-lg border border-line bg-sunken p-3 focus-visible:-outline-offset-2"
      >
        <ol className="mx-auto grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-3">
          {Array.from({ length: pdf.numPages }, (_, position) => (
            <PdfPage key={position} pdf={pdf} number={position + 1} />
          ))}
        </ol>
      </div>
    </section>
  );
}
