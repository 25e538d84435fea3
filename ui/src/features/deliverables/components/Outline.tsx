import { clsx } from 'clsx';
import { anchorOf, type OutlineEntry } from '../outline';

/** The sections of a report; a press brings its heading to the top of the frame around. */
export function Outline({ entries }: { entries: readonly OutlineEntry[] }) {
  return (
    <nav aria-label="Contents" className="text-sm">
      <p className="mb-2 text-xs font-semibold text-ink-3">Contents</p>
      <ol className="grid grid-cols-[minmax(0,1fr)] gap-0.5 border-l border-line">
        {entries.map(({ number, level, text }) => (
          <li key={number}>
            <button
              type="button"
              onClick={() => jumpTo(number)}
              className={clsx(
                'w-full py-1 text-left text-pretty text-ink-2 [overflow-wrap:anywhere] hover:text-ink focus-visible:-outline-offset-2',
                level === 2 ? 'pl-3' : 'pl-6 text-xs',
              )}
            >
              {text}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** Scrolls the frame itself: scrollIntoView would move the whole shell. */
function jumpTo(number: number): void {
  const heading = document.getElementById(anchorOf(number));
  const frame = heading?.closest<HTMLElement>('[data-thread], main');
  if (!heading || !frame) return;
  frame.scrollTo({
    top: frame.scrollTop + heading.getBoundingClientRect().top - frame.getBoundingClientRect().top - MARGIN,
  });
  heading.focus({ preventScroll: true });
}

const MARGIN = 16;
