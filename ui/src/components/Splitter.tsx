import type { KeyboardEvent, PointerEvent } from 'react';

const STEP = 16;
const LEAP = 64;

interface SplitterProps {
  label: string;
  /** Which pane it sizes: the one on its left or on its right. */
  sizes: 'left' | 'right';
  width: number;
  min: number;
  max: number;
  onChange: (width: number) => void;
  onReset: () => void;
}

/** The line between two panes, moved by pointer or arrow keys; Home, End and Enter go to least, most and usual. */
export function Splitter({ label, sizes, width, min, max, onChange, onReset }: SplitterProps) {
  const sign = sizes === 'left' ? 1 : -1;
  const move = (next: number) => onChange(Math.round(Math.min(max, Math.max(min, next))));

  function drag(event: PointerEvent<HTMLDivElement>) {
    if (event.button !== 0) return;
    const line = event.currentTarget;
    const from = event.clientX;
    line.setPointerCapture(event.pointerId);
    const follow = (moved: globalThis.PointerEvent) => move(width + sign * (moved.clientX - from));
    line.addEventListener('pointermove', follow);
    line.addEventListener('lostpointercapture', () => line.removeEventListener('pointermove', follow), { once: true });
  }

  function press(event: KeyboardEvent) {
    const step = event.shiftKey ? LEAP : STEP;
    const target = {
      ArrowLeft: width - sign * step,
      ArrowRight: width + sign * step,
      Home: min,
      End: max,
    }[event.key];
    if (event.key === 'Enter') onReset();
    else if (target !== undefined) move(target);
    else return;
    event.preventDefault();
  }

  return (
    // A focusable separator is a widget: https://www.w3.org/WAI/ARIA/apg/patterns/windowsplitter/
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      role="separator"
      aria-label={label}
      aria-orientation="vertical"
      aria-valuenow={width}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      onPointerDown={drag}
      onKeyDown={press}
      onDoubleClick={onReset}
      className="group relative z-10 w-px shrink-0 cursor-col-resize touch-none bg-line select-none focus-visible:outline-none"
    >
      <span className="absolute inset-y-0 -left-1.5 w-3" />
      <span className="absolute inset-y-0 -left-px w-[3px] bg-transparent transition-colors group-hover:bg-line-strong group-focus-visible:bg-accent group-active:bg-accent" />
    </div>
  );
}
