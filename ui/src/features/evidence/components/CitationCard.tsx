import { Check, Flag } from 'lucide-react';
import { useId, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { Button } from '@/components/Button';
import { FileMark } from '@/components/FileMark';
import { Badge, Keys } from '@/components/Marks';
import type { Citation } from '@/lib/conversationWire';
import { placeOf } from '@/lib/documents';
import { useStatements } from '../api';
import type { Mark, Marks } from '../marks';
import { othersText, statementOf } from '../statements';
import { CheckBadge, DecisionBadge } from './CheckBadge';
import { StatementNote } from './StatementNote';

interface CitationCardProps {
  mark: Mark;
  /** All of the text, for what carries a statement together. */
  marks: Marks;
  chip: HTMLElement;
  onKeep: () => void;
  onLeave: () => void;
  onOpen: (mark: Mark) => void;
  onReview?: (citation: Citation, decision: 'accepted' | 'disputed') => void;
}

const GAP = 6;
const EDGE = 8;

/** What stands behind a citation, beside it. The keyboard does the same by keys, so nothing in here takes the focus. */
export function CitationCard({ mark, marks, chip, onKeep, onLeave, onOpen, onReview }: CitationCardProps) {
  const card = useRef<HTMLDivElement>(null);
  const id = useId();
  const { citation } = mark;
  const statements = useStatements(citation?.message_id ?? null).data?.items ?? [];
  const statement = citation === null ? undefined : statementOf(citation, statements);
  // It grows when the statement becomes known.
  useLayoutEffect(() => {
    if (card.current) stand(card.current, chip);
  });
  // What is opened takes room beside the text, and the chip moves.
  useLayoutEffect(() => {
    const text = chip.closest('[data-answer]');
    if (text === null) return undefined;
    const watch = new ResizeObserver(() => card.current && stand(card.current, chip));
    watch.observe(text);
    return () => watch.disconnect();
  }, [chip]);
  useLayoutEffect(() => {
    chip.setAttribute('aria-describedby', id);
    return () => chip.removeAttribute('aria-describedby');
  }, [chip, id]);

  const place = mark.episode === null ? placeOf(mark) : 'Said, and kept in memory';
  return createPortal(
    <div
      ref={card}
      id={id}
      role="tooltip"
      onPointerEnter={onKeep}
      onPointerLeave={onLeave}
      className="float-in fixed z-40 w-[min(24rem,calc(100vw-1rem))] rounded-lg bg-surface p-3.5 shadow-float"
    >
      <div className="flex items-start gap-2.5">
        <FileMark mimeType={mark.mimeType} isSaid={mark.episode !== null} />
        <div className="min-w-0 flex-1">
          <p className="truncate text-sm font-semibold">
            <bdi>{mark.name || 'A source of this answer'}</bdi>
          </p>
          {place !== '' && <p className="truncate text-xs text-ink-3">{place}</p>}
        </div>
        {mark.check === null ? <Badge>Checked when written</Badge> : <CheckBadge check={mark.check} />}
      </div>
      {citation !== null && (
        <Behind citation={citation} isGone={mark.isGone} isReasonToldBelow={citation.reason === statement?.reason} />
      )}
      {citation !== null && statement && (
        <StatementNote
          statement={statement}
          marks={marks}
          others={othersText(statement, citation, marks)}
          onOpen={onOpen}
        />
      )}
      {citation !== null && (
        <div className="mt-3 flex flex-wrap items-center gap-1">
          {!mark.isGone && (
            <Button tabIndex={-1} onClick={() => onOpen(mark)}>
              {mark.episode === null ? 'Open' : 'Open in memory'}
            </Button>
          )}
          {onReview && (
            <>
              <Button
                tabIndex={-1}
                look="ghost"
                aria-pressed={mark.decision === 'accepted'}
                onClick={() => onReview(citation, 'accepted')}
              >
                <Check aria-hidden className="size-4" /> Accept <Keys keys="a" />
              </Button>
              <Button
                tabIndex={-1}
                look="ghost"
                aria-pressed={mark.decision === 'disputed'}
                onClick={() => onReview(citation, 'disputed')}
              >
                <Flag aria-hidden className="size-4" /> Dispute <Keys keys="d" />
              </Button>
            </>
          )}
        </div>
      )}
    </div>,
    document.body,
  );
}

/** The passage itself, and what is to be said of it. */
function Behind({
  citation,
  isGone,
  isReasonToldBelow,
}: {
  citation: Citation;
  isGone: boolean;
  isReasonToldBelow: boolean;
}) {
  return (
    <>
      {citation.quote === '' ? (
        <p className="mt-2.5 text-sm text-ink-2">
          {isGone ? 'The source was deleted, and its text with it.' : 'You may not read this source.'}
        </p>
      ) : (
        <blockquote className="mt-2.5 line-clamp-6 font-serif text-sm leading-relaxed text-pretty [overflow-wrap:anywhere]">
          <span className="evidence">{citation.quote.replaceAll(/\s+/g, ' ')}</span>
        </blockquote>
      )}
      {citation.reason !== '' && !isReasonToldBelow && (
        <p className="mt-2 text-sm text-pretty text-ink-2">{citation.reason}</p>
      )}
      {(citation.is_stale || isGone || citation.review !== null) && (
        <p className="mt-2 flex flex-wrap items-center gap-1.5 text-sm text-ink-2">
          {isGone && <Badge>Deleted</Badge>}
          {citation.is_stale && !isGone && <Badge tone="warn">A newer version differs</Badge>}
          {citation.review !== null && <DecisionBadge decision={citation.review.decision} />}
          {citation.review?.note}
        </p>
      )}
    </>
  );
}

/** Below the chip, or above it where there is more room; never over the edge of the window. */
function stand(card: HTMLElement, chip: HTMLElement): void {
  const at = chip.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = card;
  const isBelow = at.bottom + GAP + height <= innerHeight - EDGE || at.top < height;
  card.style.left = `${Math.max(EDGE, Math.min(at.left - EDGE, innerWidth - width - EDGE))}px`;
  card.style.top = `${Math.max(EDGE, isBelow ? at.bottom + GAP : at.top - GAP - height)}px`;
}
