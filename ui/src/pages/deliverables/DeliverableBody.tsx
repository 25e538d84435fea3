import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Button } from '@/components/Button';
import { Skeleton } from '@/components/Loaded';
import { Notice } from '@/components/Notice';
import { InRightPane } from '@/components/RightPane';
import { contentQuery } from '@/features/deliverables/api';
import { FileList } from '@/features/deliverables/components/FileList';
import { PdfView } from '@/features/deliverables/components/PdfView';
import { SitePreview } from '@/features/deliverables/components/SitePreview';
import { SourcesPanel } from '@/features/evidence/components/SourcesPanel';
import { kindOf } from '@/features/deliverables/kinds';
import { useCitationKeys } from '@/features/evidence/useCitationKeys';
import type { Deliverable } from '@/lib/deliverableWire';
import { messageOf } from '@/lib/problem';
import { type Report, reportOf } from './report';
import { ReportView } from './ReportView';
import type { useBesideReading } from './useBesideReading';

interface DeliverableBodyProps {
  deliverable: Deliverable;
  reading: ReturnType<typeof useBesideReading>;
  /** A passage is open: it follows the walk. */
  isReading: boolean;
}

const NONE = () => undefined;

/** A finished deliverable as its kind is best looked at, and what it rests on in the right pane. */
export function DeliverableBody({ deliverable, reading, isReading }: DeliverableBodyProps) {
  const query = useQuery(contentQuery(deliverable.id));
  const report = useMemo(() => (query.data ? reportOf(query.data) : null), [query.data]);
  useCitationKeys(
    useMemo(() => {
      const reached = (chip: HTMLElement) => {
        const citation = report?.marks[Number(chip.dataset.citation)]?.citation;
        if (citation && isReading) reading.open(citation);
      };
      return { reached, accept: NONE, dispute: NONE };
    }, [report, isReading, reading]),
  );
  return (
    <>
      <Face
        deliverable={deliverable}
        report={report}
        error={query.error}
        onAgain={() => void query.refetch()}
        reading={reading}
      />
      {report !== null && !isReading && (
        <InRightPane>
          <SourcesPanel sources={report.sources} others={[]} isWritten acts={reading} />
        </InRightPane>
      )}
    </>
  );
}

interface FaceProps extends Omit<DeliverableBodyProps, 'isReading'> {
  report: Report | null;
  error: unknown;
  onAgain: () => void;
}

function Face({ deliverable, report, error, onAgain, reading }: FaceProps) {
  const pdf = deliverable.files.find(({ media_type }) => media_type === 'application/pdf');
  const { view } = kindOf(deliverable.kind);
  if (view !== 'paper') {
    return (
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        {view === 'pdf' && pdf && (
          <PdfView key={pdf.sha256} deliverableId={deliverable.id} file={pdf} title={deliverable.title} />
        )}
        {view === 'pages' && <SitePreview deliverable={deliverable} />}
        <FileList deliverable={deliverable} />
      </div>
    );
  }
  if (report !== null)
    return (
      <ReportView
        report={report}
        isTitled
        hasOutline
        onOpen={({ citation }) => citation && reading.open(citation)}
        onOpenDocument={reading.openDocument}
      />
    );
  if (error === null) return <Skeleton rows={8} />;
  return (
    <Notice tone="bad" action={<Button onClick={onAgain}>Try again</Button>}>
      {messageOf(error)}
    </Notice>
  );
}
