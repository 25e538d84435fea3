import { clsx } from 'clsx';
import { CalendarClock, List, Waypoints } from 'lucide-react';
import { type Look, LOOKS } from '../place';

const FACES = {
  graph: { name: 'Graph', Icon: Waypoints },
  list: { name: 'List', Icon: List },
  timeline: { name: 'Timeline', Icon: CalendarClock },
} as const;

/** The ways to look at a group. */
export function LookTabs({ look, onLook }: { look: Look; onLook: (look: Look) => void }) {
  return (
    <div role="group" aria-label="Ways to look at it" className="flex w-fit rounded-md border border-line bg-bg p-0.5">
      {LOOKS.map((one) => {
        const { name, Icon } = FACES[one];
        return (
          <button
            key={one}
            type="button"
            aria-pressed={one === look}
            onClick={() => onLook(one)}
            className={clsx(
              'inline-flex h-7 items-center gap-1.5 rounded-sm px-2.5 text-sm coarse:h-10',
              one === look
                ? 'bg-surface font-medium text-ink shadow-[0_0_0_1px_var(--line)]'
                : 'text-ink-2 hover:text-ink',
            )}
          >
            <Icon aria-hidden className="size-4" /> {name}
          </button>
        );
      })}
    </div>
  );
}
