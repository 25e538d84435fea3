import { ArrowDown } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { type Entry, idOf } from '../entries';
import type { LibrarySearch } from '../filters';
import type { Selection } from '../selection';
import { EntryRow, type RowActs } from './EntryRow';

interface EntryTableProps {
  entries: readonly Entry[];
  acts: RowActs;
  selection: Selection;
  opened: string | undefined;
  mayChange: boolean;
  search: LibrarySearch;
  onSearch: (search: LibrarySearch) => void;
}

/** The rows of a folder. The arrow keys walk them, F2 renames, Delete deletes. */
export function EntryTable({ entries, acts, selection, opened, mayChange, search, onSearch }: EntryTableProps) {
  function press(event: KeyboardEvent<HTMLElement>) {
    const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row]')];
    const at = rows.indexOf(event.target as HTMLElement);
    const entry = entries[at];
    if (!entry) return;
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
    if (next !== undefined) rows[next]?.focus();
    else if (event.key === 'F2' && mayChange) acts.rename(entry);
    else if (event.key === 'Delete' && mayChange) acts.remove(entry);
    else return;
    event.preventDefault();
  }

  return (
    <div className="overflow-hidden rounded-lg border border-line">
      <table className="w-full table-fixed border-collapse text-sm">
        <caption className="sr-only">Folders and files</caption>
        <thead className="bg-bg text-left text-xs text-ink-3">
          <tr className="h-8 border-b border-line">
            <th scope="col" className="w-9">
              <span className="sr-only">Select</span>
            </th>
            <SortHead
              name="Name"
              active={search.sort === undefined}
              onSort={() => onSearch(withSort(search, undefined))}
              className="pl-1"
            />
            {/* Where there is no room a column keeps its place without width, so that rows across all of them stay right. */}
            <th scope="col" className="w-28 font-medium @max-md:w-0">
              <span className="@max-md:hidden">Status</span>
            </th>
            <th scope="col" className="w-22 text-right font-medium @max-lg:w-0">
              <span className="pr-3 @max-lg:hidden">Size</span>
            </th>
            <SortHead
              name="Changed"
              active={search.sort === 'recent'}
              onSort={() => onSearch(withSort(search, 'recent'))}
              className="w-30 text-right @max-xl:w-0 [&>button]:pr-2 @max-xl:[&>button]:hidden"
            />
            <th scope="col" className="w-11">
              <span className="sr-only">More</span>
            </th>
          </tr>
        </thead>
        {/* The rows hold the buttons; the keys that lead from one to the next are heard here. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
        <tbody onKeyDown={press}>
          {entries.map((entry) => (
            <EntryRow
              key={idOf(entry)}
              entry={entry}
              acts={acts}
              isChosen={selection.ids.has(idOf(entry))}
              isOpen={idOf(entry) === opened}
              mayChange={mayChange}
              withPath={search.only !== undefined}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function withSort(search: LibrarySearch, sort: LibrarySearch['sort']): LibrarySearch {
  const { sort: _, ...others } = search;
  return sort === undefined ? others : { ...others, sort };
}

interface SortHeadProps {
  name: string;
  active: boolean;
  onSort: () => void;
  className: string;
}

function SortHead({ name, active, onSort, className }: SortHeadProps) {
  return (
    <th
      scope="col"
      aria-sort={active ? (name === 'Name' ? 'ascending' : 'descending') : undefined}
      className={className}
    >
      <button type="button" onClick={onSort} className="inline-flex h-8 items-center gap-1 font-medium hover:text-ink">
        {name}
        {active && <ArrowDown aria-hidden className="size-3" />}
      </button>
    </th>
  );
}
