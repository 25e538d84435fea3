import { useMemo, useState } from 'react';
import { GenerationOverlay } from '@/features/deliverables/components/GenerationOverlay';
import { ReportRenderer } from '@/features/deliverables/components/ReportRenderer';
import { sectionsDone } from '@/features/deliverables/outline';
import { CitationChip } from '@/features/evidence/components/CitationChip';
import { CitedText } from '@/features/evidence/components/CitedText';
import { type Mark, StreamMarks } from '@/features/evidence/marks';
import { useCancelRun } from '@/features/run/api';
import { summaryOf } from '@/features/run/describe';
import { type Followed, useRun } from '@/features/run/stores';
import { toast } from '@/lib/announce';
import { messageOf } from '@/lib/problem';

interface LiveReportProps {
  runId: string;
  onOpen: (mark: Mark) => void;
}

/** A report while it is being written: how far it is stands over it, and what is there can be read. */
export function LiveReport({ runId, onOpen }: LiveReportProps) {
  const followed = useRun(runId);
  const { view, report } = followed;
  const [marker] = useState(() => new StreamMarks());
  const marks = useMemo(() => marker.of(report?.citations ?? [], view.references), [marker, report?.citations, view.references]);
  const cancel = useCancelRun();
  return (
    <div className="mt-4">
      <div className="sticky top-2 z-10">
        <GenerationOverlay generation={generationOf(followed)} onCancel={() => cancel.mutate(runId, { onError: (error) => toast(messageOf(error), 'bad') })} />
      </div>
      {report !== null && (
        <div className="report-paper mt-3">
          <CitedText marks={marks} isWritten={view.preview?.isDone ?? false} onOpen={onOpen}>
            <ReportRenderer chunks={report.chunks} tail={report.tail} Citation={CitationChip} level={3} />
          </CitedText>
        </div>
      )}
    </div>
  );
}

function generationOf({ view, report }: Followed) {
  const { preview } = view;
  const startedAt = view.phases[0]?.startedAt ?? preview?.startedAt ?? null;
  const phase = preview === null ? summaryOf(view) : preview.isDone ? 'Checking the report' : 'Writing the report';
  const done = sectionsDone(report?.chunks ?? [], preview?.isDone ?? false);
  return { title: preview?.title ?? 'What you asked for', phase, progress: undefined, sectionsDone: done, sectionsTotal: preview?.isDone ? done : 0, words: report?.words ?? 0, startedAt };
}
