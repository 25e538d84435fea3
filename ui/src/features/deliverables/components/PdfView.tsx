import { lazy, Suspense } from 'react';
import { Skeleton } from '@/components/Loaded';
import type { Deliverable } from '@/lib/deliverableWire';
import { filePath } from '../api';

const PdfPages = lazy(() => import('./pdf/PdfPages'));

interface PdfViewProps {
  deliverableId: string;
  file: Deliverable['files'][number];
  title: string;
}

/** The pages of a PDF, drawn here: the browser's own viewer would be a frame with more rights than ours. */
export function PdfView({ deliverableId, file, title }: PdfViewProps) {
  return (
    <Suspense fallback={<Skeleton rows={8} />}>
      <PdfPages path={filePath(deliverableId, file.name)} title={title} />
    </Suspense>
  );
}
