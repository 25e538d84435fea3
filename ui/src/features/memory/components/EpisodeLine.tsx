import { clsx } from 'clsx';
import type { Episode } from '@/lib/memoryWire';
import { dayOf } from '../time';
import { sayingOf, speakerOf } from '../words';

interface EpisodeLineProps {
  episode: Episode;
  isOpen?: boolean;
  /** A later one, also found, gives another value instead. */
  isUpdated?: boolean;
  onOpen: (id: string) => void;
}

/** Something that was said, in a list: who, when, and the beginning of it. */
export function EpisodeLine({ episode, isOpen = false, isUpdated = false, onOpen }: EpisodeLineProps) {
  return (
    <li>
      <button
        type="button"
        data-row
        aria-current={isOpen || undefined}
        onClick={() => onOpen(episode.id)}
        className={clsx(
          'block w-full rounded-md px-2.5 py-1.5 text-left focus-visible:-outline-offset-2',
          isOpen ? 'bg-accent-soft' : 'hover:bg-hover',
        )}
      >
        <span className="line-clamp-2 text-sm [overflow-wrap:anywhere]">
          <bdi>{sayingOf(episode) ?? 'What was said is not kept.'}</bdi>
        </span>
        <span className="mt-0.5 block text-xs text-ink-3 tabular-nums">
          <bdi>{speakerOf(episode)}</bdi>, {dayOf(episode.valid_at)}
          {isUpdated && <span className="text-warn"> · updated later</span>}
        </span>
      </button>
    </li>
  );
}
