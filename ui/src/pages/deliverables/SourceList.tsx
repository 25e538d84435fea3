import { FileMark } from '@/components/FileMark';
import { toldBy } from '@/features/evidence/marks';
import { placeOf } from '@/lib/documents';
import type { NumberedFile } from '@/features/evidence/sources';

interface SourceListProps {
  sources: readonly NumberedFile[];
  /** The level of its heading. */
  level: 2 | 4;
  onOpenDocument: (id: string) => void;
}

/** The list of sources at the end of a report, under the numbers of its citations. */
export function SourceList({ sources, level, onOpenDocument }: SourceListProps) {
  if (sources.length === 0) return null;
  const Heading = level === 2 ? 'h2' : 'h4';
  return (
    <>
      <Heading className="report-h2">Sources</Heading>
      <ol aria-label="Sources of this report" className="report-sources">
        {sources.map(({ number, file, citations }) => (
          <li key={number}>
            <span className="w-6 shrink-0 text-right font-semibold text-ink-3 tabular-nums">{number}</span>
            <FileMark mimeType={file.mime_type} />
            <span className="min-w-0 flex-1">
              {citations.some((citation) => toldBy(citation) !== null) ? (
                <bdi>
                  {file.file_name} <span className="text-ink-3">· from memory</span>
                </bdi>
              ) : file.file_id === null || file.status === 'deleted' ? (
                <bdi className="text-ink-3">{file.file_name} (deleted)</bdi>
              ) : (
                <button
                  type="button"
                  onClick={() => file.file_id !== null && onOpenDocument(file.file_id)}
                  className="text-left text-accent hover:underline"
                >
                  <bdi>{file.file_name}</bdi>
                </button>
              )}
              <span className="block text-xs text-ink-3">
                {[...new Set(citations.map(placeOf).filter(Boolean))].slice(0, SHOWN).join('; ')}
              </span>
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}

const SHOWN = 6;
