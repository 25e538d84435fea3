import { Copy, RefreshCw, ThumbsDown, ThumbsUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '@/components/Button';
import type { Message, Rating } from '@/lib/conversationWire';
import { confidenceNumber, confidenceText, costText } from '../answerFigures';
import { answerPlace, type Turn } from '../tree';
import { BranchWalker } from './BranchWalker';

interface AnswerFootProps {
  turn: Turn;
  answer: Message;
  onCopy: () => void;
  onWalk: (id: string) => void;
  /** Left out where the reader may not ask. */
  onAgain?: (() => void) | undefined;
  onRate: (rating: Rating | null) => void;
  /** More that can be done. */
  children?: ReactNode;
}

/** What can be done with an answer, how sure it is and what it cost. */
export function AnswerFoot({ turn, answer, onCopy, onWalk, onAgain, onRate, children }: AnswerFootProps) {
  const { confidence } = answer;
  return (
    <footer className="mt-3 flex flex-wrap items-center gap-x-1 gap-y-1 text-ink-3">
      <IconButton label="Copy the answer with its sources" onClick={onCopy}>
        <Copy aria-hidden className="size-4" />
      </IconButton>
      <Thumb rating="thumbs_up" given={answer.feedback?.rating ?? null} onRate={onRate} />
      <Thumb rating="thumbs_down" given={answer.feedback?.rating ?? null} onRate={onRate} />
      {onAgain && (
        <IconButton label="Try again" onClick={onAgain}>
          <RefreshCw aria-hidden className="size-4" />
        </IconButton>
      )}
      {children}
      <BranchWalker of="answer" place={answerPlace(turn)} onWalk={onWalk} />
      <p className="ml-auto min-w-0 text-xs text-ink-3 tabular-nums">
        {confidence !== null && <span title={confidenceNumber(confidence)}>{confidenceText(confidence)} · </span>}
        {costText(answer)}
      </p>
    </footer>
  );
}

interface ThumbProps {
  rating: Rating;
  given: Rating | null;
  onRate: (rating: Rating | null) => void;
}

function Thumb({ rating, given, onRate }: ThumbProps) {
  const Icon = rating === 'thumbs_up' ? ThumbsUp : ThumbsDown;
  const isGiven = given === rating;
  return (
    <IconButton
      label={rating === 'thumbs_up' ? 'This helped' : 'This did not help'}
      aria-pressed={isGiven}
      className={isGiven ? 'text-accent' : ''}
      onClick={() => onRate(isGiven ? null : rating)}
    >
      <Icon aria-hidden className={isGiven ? 'size-4 fill-accent-soft' : 'size-4'} />
    </IconButton>
  );
}
