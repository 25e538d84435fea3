import { Outline } from '@/features/deliverables/components/Outline';
import { ReportRenderer } from '@/features/deliverables/components/ReportRenderer';
import { outlineOf } from '@/features/deliverables/outline';
import { CitationChip } from '@/features/evidence/components/CitationChip';
import { CitedText } from '@/features/evidence/components/CitedText';
import type { Mark } from '@/features/evidence/marks';
import type { Report } from './report';
import { SourceList } from './SourceList';

interface ReportViewProps {
  report: Report;
  /** The level that its title has on the page. */
  level?: 1 | 3;
  isTitled?: boolean;
  hasOutline?: boolean;
  onOpen: (mark: Mark) => void;
  onOpenDocument: (id: string) => void;
}

/** A report that is written, with its contents beside it where there is room. */
export function ReportView({
  report,
  level = 1,
  isTitled = false,
  hasOutline = false,
  onOpen,
  onOpenDocument,
}: ReportViewProps) {
  const entries = hasOutline ? outlineOf(report.chunks).filter(({ level: depth }) => depth === 2 || depth === 3) : [];
  return (
    <div className={entries.length > 1 ? 'report-frame' : ''}>
      {entries.length > 1 && (
        <div className="report-outline">
          <Outline entries={entries} />
        </div>
      )}
      <CitedText marks={report.marks} onOpen={onOpen}>
        <ReportRenderer
          chunks={report.chunks}
          Citation={CitationChip}
          level={level}
          isTitled={isTitled}
          sources={<SourceList sources={report.sources} level={level === 1 ? 2 : 4} onOpenDocument={onOpenDocument} />}
        />
      </CitedText>
    </div>
  );
}
