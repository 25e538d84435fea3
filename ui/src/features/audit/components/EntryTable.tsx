import { clsx } from 'clsx';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { Time } from '@/components/Marks';
import type { AuditEntry } from '@/lib/wire';
import type { NameOf } from '../describe';
import { EVENT_NAMES } from '../filters';
import { EntrySentence } from './EntrySentence';

interface EntryTableProps {
  entries: readonly AuditEntry[];
  nameOf: NameOf;
  selected: number | undefined;
  /** Entries that came in live, to be seen arriving. */
  isNew: (entry: AuditEntry) => boolean;
  onSelect: (entry: AuditEntry) => void;
}

export function EntryTable({ entries, nameOf, selected, isNew, onSelect }: EntryTableProps) {
  return (
    <div className="overflow-hidden rounded-lg border border-line">
      <table className="w-full table-fixed border-collapse text-sm">
        <caption className="sr-only">Log entries, newest first</caption>
        <thead className="bg-bg text-left text-xs text-ink-3">
          <tr className="h-8 border-b border-line">
            <th scope="col" className="w-14 px-3 text-right font-medium @max-xl:hidden">
              No.
            </th>
            <th scope="col" className="px-3 font-medium">
              What happened
            </th>
            <th scope="col" className="w-40 px-3 font-medium @max-3xl:hidden">
              Event
            </th>
            <th scope="col" className="w-32 px-3 text-right font-medium">
              When
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <EntryRow
              key={entry.seq}
              entry={entry}
              nameOf={nameOf}
              isSelected={entry.seq === selected}
              isNew={isNew(entry)}
              onSelect={onSelect}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface EntryRowProps {
  entry: AuditEntry;
  nameOf: NameOf;
  isSelected: boolean;
  isNew: boolean;
  onSelect: (entry: AuditEntry) => void;
}

function EntryRow({ entry, nameOf, isSelected, isNew, onSelect }: EntryRowProps) {
  const Icon = entry.success ? CircleCheck : CircleAlert;
  return (
    <tr
      className={clsx(
        'relative h-9 border-b border-line last:border-b-0',
        isSelected ? 'bg-accent-soft' : 'hover:bg-bg',
        isNew && 'arrived',
      )}
    >
      <td className="px-3 text-right text-ink-3 tabular-nums @max-xl:hidden">{entry.seq}</td>
      <td className="px-3 py-1">
        <button
          type="button"
          aria-pressed={isSelected}
          onClick={() => onSelect(entry)}
          className="flex min-h-6 w-full items-center gap-2 text-left after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
        >
          <Icon
            role="img"
            aria-label={entry.success ? 'Succeeded' : 'Failed'}
            className={clsx('size-4 shrink-0', entry.success ? 'text-ink-3' : 'text-bad')}
          />
          <span className="min-w-0 [overflow-wrap:anywhere] @xl:truncate [&>bdi:first-child]:font-medium">
            <EntrySentence entry={entry} nameOf={nameOf} />
          </span>
        </button>
      </td>
      <td className="truncate px-3 text-ink-2 @max-3xl:hidden">{EVENT_NAMES[entry.event_type] ?? entry.event_type}</td>
      <td className="px-3 text-right text-ink-2">
        <Time at={entry.created_at} />
      </td>
    </tr>
  );
}
