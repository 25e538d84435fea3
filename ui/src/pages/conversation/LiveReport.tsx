import { useMemo, useState } from 'react';
import { GenerationOverlay } from '@/features/deliverables/components/GenerationOverlay';
import { ReportRenderer } from '@/features/deliverables/components/ReportRenderer';
import { sectionsDone } from '@/features/deliverables/outline';
import { CitationChip } from '@/features/evidence/components/CitationChip';
import { CitedText } from '@/features/evidence/components/CitedText';
import { type Mark, StreamMarks } from '@/features/evidence/marks';
import { useCancelRun } from '@/features/run/api';
import { summaryOf } from '@/features/run/describe';
import type { RunView } from '@/features/run/view';
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
  const marks = useMemo(
    () => marker.of(report?.citations ?? [], view.references),
    [marker, report?.citations, view.references],
  );
  const cancel = useCancelRun();
  return (
    <div className="mt-4">
      <div className="sticky top-2 z-10">
        <GenerationOverlay
          generation={generationOf(followed)}
          onCancel={() => cancel.mutate(runId, { onError: (error) => toast(messageOf(error), 'bad') })}
        />
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
  const isDone = preview?.isDone ?? false;
  const done = sectionsDone(report?.chunks ?? []);
  const total = isDone ? done : (preview?.sectionsTotal ?? 0);
  const words = report?.words ?? 0;
  return {
    title: preview?.title ?? 'What you asked for',
    phase: phaseOf(view, done, total),
    progress: total > 0 ? done / total : undefined,
    sectionsDone: done,
    sectionsTotal: total,
    words,
    startedAt,
  };
}

function phaseOf(view: RunView, done: number, total: number): string {
  if (view.preview === null) return summaryOf(view);
  if (view.preview.isDone) return 'Checking the report';
  return done < total ? `Writing section ${done + 1}` : 'Writing the report';
}
