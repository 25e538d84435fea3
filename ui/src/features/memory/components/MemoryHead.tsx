import { CircleAlert, Info, LoaderCircle, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '@/components/Button';
import { FilterField } from '@/components/FilterField';
import { count } from '@/lib/format';
import type { ListedGroup, MemoryGroup } from '@/lib/memoryWire';
import { useTitle } from '@/lib/useTitle';
import { groupName } from '../words';

interface MemoryHeadProps {
  groups: readonly ListedGroup[];
  group: MemoryGroup | undefined;
  chosen: string;
  searchField: ReactNode;
  onGroup: (id: string) => void;
  /** Shows the group as a whole: what waits, and what failed. */
  onAbout: () => void;
  onAdd?: (() => void) | undefined;
}

/** Whose memory it is, how it is doing, and the ways in. */
export function MemoryHead({ groups, group, chosen, searchField, onGroup, onAbout, onAdd }: MemoryHeadProps) {
  useTitle('Memory');
  const known = groups.some(({ group_id }) => group_id === chosen)
    ? groups
    : [...groups, { group_id: chosen, episodes: 0 }];
  return (
    <header className="flex flex-wrap items-end gap-x-3 gap-y-2.5">
      <h1 className="mr-2 font-serif text-2xl leading-tight font-semibold">Memory</h1>
      <FilterField label="Group" active={false}>
        {(id, className) => (
          <select id={id} className={className} value={chosen} onChange={(event) => onGroup(event.target.value)}>
            {known.map(({ group_id, episodes }) => (
              <option key={group_id} value={group_id}>
                {groupName(group_id)} ({episodes})
              </option>
            ))}
          </select>
        )}
      </FilterField>
      {group && <QueueState group={group} onAbout={onAbout} />}
      <div className="ml-auto flex min-w-0 flex-1 basis-64 items-center justify-end gap-2">
        <div className="w-72 max-w-full">{searchField}</div>
        {onAdd && (
          <Button look="primary" onClick={onAdd}>
            <Plus aria-hidden className="size-4" /> Add a message
          </Button>
        )}
      </div>
    </header>
  );
}

function QueueState({ group, onAbout }: { group: MemoryGroup; onAbout: () => void }) {
  return (
    <div className="flex items-center gap-1" role="status">
      {group.queued > 0 && (
        <span className="inline-flex h-8 items-center gap-1.5 px-1 text-sm text-ink-2">
          <LoaderCircle aria-hidden className="size-4 animate-spin" /> {count(group.queued, 'message')} waiting
        </span>
      )}
      {group.failed > 0 ? (
        <Button look="ghost" className="text-bad" onClick={onAbout}>
          <CircleAlert aria-hidden className="size-4" /> {group.failed} failed
        </Button>
      ) : (
        <Button look="ghost" onClick={onAbout}>
          <Info aria-hidden className="size-4" /> About
        </Button>
      )}
    </div>
  );
}
