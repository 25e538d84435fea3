import { ChevronLeft, ChevronRight } from 'lucide-react';
import { IconButton } from '@/components/Button';
import type { Place } from '../tree';

interface BranchWalkerProps {
  /** Of what there are several. */
  of: 'question' | 'answer';
  place: Place;
  onWalk: (id: string) => void;
}

/** Steps between what stands in the same place: ‹ 2/3 ›. */
export function BranchWalker({ of, place, onWalk }: BranchWalkerProps) {
  if (place.total < 2) return null;
  const { before, after, position, total } = place;
  return (
    <span
      role="group"
      aria-label={`Version ${position} of ${total} of this ${of}`}
      className="inline-flex items-center text-xs text-ink-3 tabular-nums"
    >
      <IconButton
        label={`Previous ${of}`}
        disabled={before === undefined}
        className="disabled:opacity-40"
        onClick={() => before !== undefined && onWalk(before)}
      >
        <ChevronLeft aria-hidden className="size-4" />
      </IconButton>
      {position}/{total}
      <IconButton
        label={`Next ${of}`}
        disabled={after === undefined}
        className="disabled:opacity-40"
        onClick={() => after !== undefined && onWalk(after)}
      >
        <ChevronRight aria-hidden className="size-4" />
      </IconButton>
    </span>
  );
}
