import { FileMark } from '@/components/FileMark';
import type { CitedFile } from '@/lib/conversationWire';
import { thumbnailPath } from '@/lib/documents';
import { count } from '@/lib/format';
import type { NumberedFile } from '../sources';

interface SourceCarouselProps {
  sources: readonly NumberedFile[];
  onOpen: (source: NumberedFile) => void;
}

const CARD = 'relative flex w-52 shrink-0 snap-start items-start gap-3 rounded-lg border p-2.5 text-left';

/** The files an answer rests on, side by side. What was deleted stays as a grey stone with its name. */
export function SourceCarousel({ sources, onOpen }: SourceCarouselProps) {
  if (sources.length === 0) return null;
  return (
    <ul aria-label="Sources of this answer" className="-mx-1 mt-4 flex snap-x gap-2.5 overflow-x-auto px-1 pb-2">
      {sources.map((source) => (
        <li key={source.number} className="flex">
          {source.file.status === 'deleted' ? (
            <div className={`${CARD} border-dashed border-line bg-sunken text-ink-3 grayscale`}>
              <Face source={source} />
            </div>
          ) : (
            <button
              type="button"
              onClick={() => onOpen(source)}
              className={`${CARD} border-line bg-surface hover:border-line-strong hover:bg-bg`}
            >
              <Face source={source} />
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

function Face({ source: { file, number } }: { source: NumberedFile }) {
  return (
    <>
      <FileMark large mimeType={file.mime_type} isSaid={file.source_type === 'memory'} picture={pictureOf(file)} />
      <span className="min-w-0 flex-1">
        <span className="text-xs font-semibold text-ink-3 tabular-nums">{number}</span>
        <bdi className="line-clamp-2 text-sm font-medium [overflow-wrap:anywhere]">{file.file_name}</bdi>
        <span className="block text-xs text-ink-3">{noteOf(file)}</span>
      </span>
    </>
  );
}

export function pictureOf(file: CitedFile): string | null {
  return file.has_thumbnail && file.file_id !== null && file.status !== 'deleted' ? thumbnailPath(file.file_id) : null;
}

function noteOf(file: CitedFile): string {
  if (file.status === 'deleted') return 'Deleted';
  const passages = count(file.excerpts.length, 'passage');
  return file.status === 'stale' ? `${passages} · changed since` : passages;
}
