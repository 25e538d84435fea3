import {
  type FocusEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { Citation } from '@/lib/conversationWire';
import { createMarks, type Mark, type Marks, MarksOfText } from '../marks';
import { CitationCard } from './CitationCard';

interface CitedTextProps {
  marks: Marks;
  /** More of it is coming. */
  isWritten?: boolean;
  onOpen: (mark: Mark) => void;
  onReview?: (citation: Citation, decision: 'accepted' | 'disputed') => void;
  children: ReactNode;
}

interface Shown {
  readonly ordinal: number;
  readonly chip: HTMLElement;
}

const OPEN_MS = 120;
const CLOSE_MS = 160;

/** A text with citations in it. One card serves them all, and the text is not drawn anew when a source becomes known. */
export function CitedText({ marks, isWritten = true, onOpen, onReview, children }: CitedTextProps) {
  const [store] = useState(() => createMarks(marks));
  const [shown, setShown] = useState<Shown | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => store.setState({ marks }), [store, marks]);
  useEffect(() => () => clearTimeout(timer.current), []);

  function later(ms: number, next: Shown | null) {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setShown(next), ms);
  }
  function point(event: PointerEvent) {
    const next = chipAt(event.target);
    if (next && event.pointerType !== 'touch') later(OPEN_MS, next);
  }
  function focus(event: FocusEvent) {
    const next = chipAt(event.target);
    if (next && event.target.matches(':focus-visible')) later(0, next);
  }
  function press(event: MouseEvent) {
    const ordinal = chipAt(event.target)?.ordinal;
    const mark = ordinal === undefined ? undefined : marks[ordinal];
    if (mark) onOpen(mark);
  }

  const mark = shown === null ? undefined : marks[shown.ordinal];
  return (
    <MarksOfText value={store}>
      {/* The chips inside are buttons; what happens to any of them is heard here once. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
      <div
        data-answer
        aria-busy={!isWritten}
        onClick={press}
        onPointerOver={point}
        onPointerOut={() => later(CLOSE_MS, null)}
        onFocus={focus}
        onBlur={() => later(CLOSE_MS, null)}
      >
        {children}
      </div>
      {shown !== null && mark && (
        <CitationCard
          mark={mark}
          marks={marks}
          chip={shown.chip}
          onKeep={() => clearTimeout(timer.current)}
          onLeave={() => later(CLOSE_MS, null)}
          onOpen={onOpen}
          {...(onReview && { onReview })}
        />
      )}
    </MarksOfText>
  );
}

function chipAt(target: EventTarget): Shown | null {
  const chip = target instanceof Element ? target.closest<HTMLElement>('[data-citation]') : null;
  return chip === null ? null : { ordinal: Number(chip.dataset.citation), chip };
}
