import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { type ReactNode, useRef, useState } from 'react';
import { Loaded } from '@/components/Loaded';
import { toast } from '@/lib/announce';
import { itemsOf } from '@/lib/pages';
import { messageOf } from '@/lib/problem';
import type { Document, Folder } from '@/lib/wire';
import { documentsQuery, foldersQuery } from '../api';
import { useMove } from '../change';
import { entriesOf, type Entry, idOf, summaryOf, type Wish } from '../entries';
import type { LibrarySearch } from '../filters';
import { inside, mayHold, parentIdOf, TOP, totalsOf, wayTo } from '../folders';
import { useLiveLibrary } from '../live';
import { all, extend, kept, NONE, toggle } from '../selection';
import { AddMenu } from './AddMenu';
import { AttentionLine } from './AttentionLine';
import { DropArea } from './DropArea';
import { EmptyFolder } from './EmptyFolder';
import type { RowActs } from './EntryRow';
import { EntryTable } from './EntryTable';
import { FolderTree } from './FolderTree';
import { LibraryHead } from './LibraryHead';
import { SelectionBar } from './SelectionBar';
import { ActionDialogs } from './ActionDialogs';

interface LibraryViewProps {
  search: LibrarySearch;
  /** The document in the reading pane. */
  opened: string | undefined;
  mayChange: boolean;
  searchField: ReactNode;
  onSearch: (search: LibrarySearch) => void;
  onOpen: (document: Document) => void;
  onVersions: (document: Document) => void;
}

const NO_FOLDERS: readonly Folder[] = [];
const TITLES = { failed: 'Files that could not be read', working: 'Files being read' } as const;

/** The library: its folders as a tree, one of them as a list, and everything that can be done there. */
export function LibraryView({
  search,
  opened,
  mayChange,
  searchField,
  onSearch,
  onOpen,
  onVersions,
}: LibraryViewProps) {
  useLiveLibrary();
  const query = useInfiniteQuery(documentsQuery(search));
  const folders = useQuery(foldersQuery).data ?? NO_FOLDERS;
  const [wish, setWish] = useState<Wish | null>(null);
  const [chosen, setChosen] = useState(NONE);
  const dragged = useRef<readonly Entry[]>([]);
  const move = useMove();

  const way = wayTo(folders, search.folder);
  const here = way.at(-1) ?? null;
  const entries = entriesOf(
    search.only === undefined ? inside(folders, search.folder) : [],
    itemsOf(query.data),
    totalsOf(folders),
  );
  const order = entries.map(idOf);
  const selection = kept(chosen, order);
  const selected = entries.filter((entry) => selection.ids.has(idOf(entry)));

  const goTo = (id: string) => {
    setChosen(NONE);
    onSearch({ ...(parentIdOf(id) !== null && { folder: id }), ...(search.sort && { sort: search.sort }) });
  };

  const dropInto = (target: string) => {
    const moved = dragged.current;
    if (!mayHold(folders, target, new Set(moved.map(idOf)))) return;
    move(moved, target).then(
      () => toast(`${summaryOf(moved)} moved.`),
      (error: unknown) => toast(messageOf(error), 'bad'),
    );
  };

  const acts: RowActs = {
    open: (entry) => (entry.type === 'folder' ? goTo(entry.folder.id) : onOpen(entry.document)),
    versions: onVersions,
    choose: (entry, event) =>
      setChosen(event.shiftKey ? extend(selection, idOf(entry), order) : toggle(selection, idOf(entry))),
    rename: (entry) => setWish({ do: 'rename', entry }),
    move: (entry) => setWish({ do: 'move', entries: [entry] }),
    remove: (entry) => setWish({ do: 'delete', entries: selection.ids.has(idOf(entry)) ? selected : [entry] }),
    drag: (entry) => {
      dragged.current = selection.ids.has(idOf(entry)) ? selected : [entry];
    },
    dropInto,
  };

  return (
    <DropArea folder={here} enabled={mayChange} className="flex min-h-full flex-col px-4 py-6 @2xl:px-8">
      <LibraryHead
        title={search.only === undefined ? (here?.name ?? 'Library') : TITLES[search.only]}
        way={way.slice(0, -1)}
        isTop={search.folder === undefined && search.only === undefined}
        onOpen={goTo}
        onDropOn={dropInto}
      >
        <div className="w-64 max-w-full">{searchField}</div>
        {mayChange && <AddMenu here={here} onWish={setWish} />}
      </LibraryHead>
      <div className="grid flex-1 grid-cols-[minmax(0,1fr)] items-start gap-x-6 @3xl:grid-cols-[12rem_minmax(0,1fr)]">
        <div className="sticky top-6 max-h-[80vh] overflow-y-auto @max-3xl:hidden">
          <FolderTree
            label="Folders"
            folders={folders}
            selected={search.folder ?? TOP}
            onSelect={goTo}
            onDropOn={dropInto}
          />
        </div>
        <div
          aria-busy={query.isPlaceholderData}
          className={clsx('@container', query.isPlaceholderData && 'opacity-60')}
        >
          <AttentionLine search={search} onSearch={onSearch} />
          <Loaded
            query={query}
            items={entries}
            empty={<EmptyFolder isTop={here === null} search={search} mayChange={mayChange} onWish={setWish} />}
          >
            {(list) => (
              <EntryTable
                entries={list}
                acts={acts}
                selection={selection}
                opened={opened}
                mayChange={mayChange}
                search={search}
                onSearch={onSearch}
              />
            )}
          </Loaded>
          {selected.length > 0 && (
            <SelectionBar
              entries={selected}
              total={order.length}
              onWish={setWish}
              onAll={() => setChosen(all(order))}
              onClear={() => setChosen(NONE)}
            />
          )}
        </div>
      </div>
      <ActionDialogs wish={wish} folders={folders} here={here} onDone={() => setWish(null)} />
    </DropArea>
  );
}
