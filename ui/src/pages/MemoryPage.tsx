import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { Button } from '@/components/Button';
import { Skeleton } from '@/components/Loaded';
import { Notice } from '@/components/Notice';
import { InRightPane } from '@/components/RightPane';
import type { Acts, Wish } from '@/features/memory/acts';
import { episodeQuery, graphQuery, groupQuery, groupsQuery } from '@/features/memory/api';
import { MemoryBeside } from '@/features/memory/components/MemoryBeside';
import { MemoryView } from '@/features/memory/components/MemoryView';
import { ActionDialogs } from '@/features/memory/components/ActionDialogs';
import { chosenGroup, personalGroup } from '@/features/memory/groups';
import { type MemorySearch, type Opened, opening, readMemorySearch } from '@/features/memory/place';
import { SearchField } from '@/features/search/components/SearchField';
import { type Command, useCommands } from '@/lib/commands';
import { useMe } from '@/lib/me';
import { setSheet, showRight } from '@/lib/panes';
import { mayWrite } from '@/lib/permissions';
import { messageOf } from '@/lib/problem';

const route = getRouteApi('/shell/memory');

/** Memory on the page; the node, fact or episode that was chosen in the right pane. */
export function MemoryPage() {
  const search = readMemorySearch({ ...route.useSearch() });
  const groups = useQuery(groupsQuery);
  // A link to an episode may name no group: the episode knows its own.
  const cited = useQuery({
    ...episodeQuery(search.episode ?? ''),
    enabled: search.episode !== undefined && search.group === undefined,
  });
  if (groups.data && !cited.isLoading)
    return <Memory search={search} listed={groups.data} home={cited.data?.group_id} />;
  return (
    <div className="mx-auto max-w-4xl p-5">
      <h1 className="mb-4 font-serif text-2xl font-semibold">Memory</h1>
      {groups.error === null ? (
        <Skeleton rows={5} />
      ) : (
        <Notice tone="bad" action={<Button onClick={() => void groups.refetch()}>Try again</Button>}>
          {messageOf(groups.error)}
        </Notice>
      )}
    </div>
  );
}

interface MemoryProps {
  search: MemorySearch;
  listed: readonly {
    readonly group_id: string;
    readonly episodes: number;
    readonly queued: number;
    readonly failed: number;
    readonly updated_at: string | null;
  }[];
  /** The group of the episode that a link named. */
  home: string | undefined;
}

function Memory({ search, listed, home }: MemoryProps) {
  const { role, user } = useMe();
  const navigate = useNavigate();
  const [wish, setWish] = useState<Wish | null>(null);
  const chosen = search.group ?? home ?? chosenGroup(listed, user.id);
  const isThere = listed.some(({ group_id }) => group_id === chosen);
  const group = useQuery({ ...groupQuery(chosen), enabled: isThere }).data;

  const go = useCallback(
    (next: MemorySearch, replace = false) => void navigate({ to: '/memory', search: next, replace }),
    [navigate],
  );
  const open = useCallback(
    (opened: Opened) => {
      void navigate({ to: '/memory', search: (now) => opening(readMemorySearch({ ...now }), opened) });
      showRight();
    },
    [navigate],
  );
  const close = useCallback(() => {
    void navigate({ to: '/memory', search: (now) => opening(readMemorySearch({ ...now }), {}) });
    setSheet(null);
  }, [navigate]);
  const isOpen = (search.node ?? search.fact ?? search.episode) !== undefined;
  useCommands(
    useMemo<readonly Command[]>(
      () =>
        isOpen
          ? [{ id: 'memory-close', title: 'Close what stands beside', group: 'View', keys: 'escape', run: close }]
          : [],
      [isOpen, close],
    ),
  );
  const acts = useMemo<Acts>(() => ({ open, ...(mayWrite(role) && { wish: setWish }) }), [open, role]);
  const ask = useCallback(
    (q: string) =>
      void navigate({
        to: '/memory',
        search: (now) => {
          const { q: _, ...others } = readMemorySearch({ ...now });
          return q === '' ? others : { ...others, q };
        },
        replace: true,
      }),
    [navigate],
  );

  return (
    <>
      <MemoryView
        search={search}
        groups={listed}
        group={isThere ? group : undefined}
        chosen={chosen}
        searchField={<SearchField label="Search memory" value={search.q ?? ''} eager onSearch={ask} />}
        acts={acts}
        onSearch={go}
      />
      <InRightPane>
        <MemoryBeside search={search} group={isThere ? group : undefined} acts={acts} onClose={close} />
      </InRightPane>
      <Wishes
        wish={wish}
        group={chosen}
        groups={[personalGroup(user.id), ...listed.map(({ group_id }) => group_id)]}
        onDone={() => setWish(null)}
        onGone={() => go(goneFrom(search, wish))}
        onOpen={open}
        onAdded={(to) => to !== chosen && go({ group: to })}
      />
    </>
  );
}

/** Where to stand after something is gone: beside nothing, and in no group that is gone. */
function goneFrom(search: MemorySearch, wish: Wish | null): MemorySearch {
  return wish?.do === 'forget' && wish.target.kind === 'group' ? {} : opening(search, {});
}

/** What a node can be merged with is asked for when someone wishes to. */
interface WishesProps {
  wish: Wish | null;
  group: string;
  groups: readonly string[];
  onDone: () => void;
  onGone: () => void;
  onOpen: (opened: Opened) => void;
  onAdded: (group: string) => void;
}

function Wishes(wishes: WishesProps) {
  const graph = useQuery({ ...graphQuery(wishes.group, {}, 'merge'), enabled: wishes.wish?.do === 'merge' }).data;
  return <ActionDialogs {...wishes} nodes={graph?.nodes ?? []} />;
}
