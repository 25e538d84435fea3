import { clsx } from 'clsx';
import { Check, Flag } from 'lucide-react';
import { IconButton } from '@/components/Button';
import { FileMark } from '@/components/FileMark';
import { Badge } from '@/components/Marks';
import type { Citation } from '@/lib/conversationWire';
import { placeOf } from '@/lib/documents';
import type { NumberedFile } from '../sources';
import { CheckBadge, DecisionBadge } from './CheckBadge';
import { pictureOf } from './SourceCarousel';
import type { PanelActs } from './SourcesPanel';

interface SourceEntryProps {
  source: NumberedFile;
  acts: PanelActs;
}

/** One file with the passages that are cited from it. */
export function SourceEntry({ source: { number, file, citations }, acts }: SourceEntryProps) {
  const isGone = file.status === 'deleted';
  return (
    <li>
      <div className={clsx('flex items-start gap-2.5', isGone && 'text-ink-3 grayscale')}>
        <span className="w-5 shrink-0 pt-1 text-right text-sm font-semibold text-ink-3 tabular-nums">{number}</span>
        <FileMark mimeType={file.mime_type} isSaid={file.source_type === 'memory'} picture={pictureOf(file)} />
        <div className="min-w-0 flex-1">
          <h3 className="text-sm font-semibold [overflow-wrap:anywhere]">
            <bdi>{file.file_name}</bdi>
          </h3>
          <p className="flex flex-wrap items-center gap-x-2 text-xs text-ink-3">
            {isGone && <Badge>Deleted</Badge>}
            {file.status === 'stale' && <Badge tone="warn">Changed since</Badge>}
            {file.path !== null && <span className="truncate">{file.path}</span>}
          </p>
        </div>
      </div>
      <ul className="mt-1.5 ml-7 grid grid-cols-[minmax(0,1fr)] gap-1.5">
        {citations.map((citation) => (
          <Passage key={citation.id} citation={citation} isGone={isGone} acts={acts} />
        ))}
      </ul>
    </li>
  );
}

const BOX = 'min-w-0 flex-1 rounded-md px-2 py-1.5 text-left';

function Passage({ citation, isGone, acts }: { citation: Citation; isGone: boolean; acts: PanelActs }) {
  const decision = citation.review?.decision ?? null;
  const { review } = acts;
  return (
    <li className="flex items-start gap-0.5">
      {isGone ? (
        <div className={clsx(BOX, 'bg-sunken text-ink-3')}>
          <Quote citation={citation} isGone />
        </div>
      ) : (
        <button
          type="button"
          onClick={() => acts.open(citation)}
          className={clsx(BOX, 'hover:bg-hover focus-visible:-outline-offset-2')}
        >
          <Quote citation={citation} isGone={false} />
        </button>
      )}
      {review && (
        <span className="flex shrink-0 flex-col">
          <IconButton
            label={`Accept citation ${citation.ordinal + 1}`}
            aria-pressed={decision === 'accepted'}
            className={decision === 'accepted' ? 'text-ok' : ''}
            onClick={() => review(citation, 'accepted')}
          >
            <Check aria-hidden className="size-4" />
          </IconButton>
          <IconButton
            label={`Dispute citation ${citation.ordinal + 1}`}
            aria-pressed={decision === 'disputed'}
            className={decision === 'disputed' ? 'text-bad' : ''}
            onClick={() => review(citation, 'disputed')}
          >
            <Flag aria-hidden className="size-4" />
          </IconButton>
        </span>
      )}
    </li>
  );
}

function Quote({ citation, isGone }: { citation: Citation; isGone: boolean }) {
  const place = placeOf(citation);
  return (
    <>
      <span className="line-clamp-4 text-sm leading-relaxed text-pretty text-ink-2 [overflow-wrap:anywhere]">
        {citation.quote === ''
          ? isGone
            ? 'Its text is no longer kept.'
            : 'You may not read this source.'
          : `“${citation.quote.replaceAll(/\s+/g, ' ')}”`}
      </span>
      <span className="mt-1 flex flex-wrap items-center gap-1.5 text-xs text-ink-3">
        <CheckBadge check={citation.check} />
        {citation.review !== null && <DecisionBadge decision={citation.review.decision} />}
        {place}
      </span>
      {citation.reason !== '' && <span className="mt-1 block text-xs text-pretty text-ink-2">{citation.reason}</span>}
      {citation.review !== null && citation.review.note !== '' && (
        <span className="mt-1 block text-xs text-ink-2 italic">{citation.review.note}</span>
      )}
    </>
  );
}
