import { useQuery } from '@tanstack/react-query';
import { BrainCircuit } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '@/components/Button';
import { EmptyState } from '@/components/EmptyState';
import { Skeleton } from '@/components/Loaded';
import { Notice } from '@/components/Notice';
import type { Community, Graph, ListedGroup, MemoryGroup } from '@/lib/memoryWire';
import { messageOf } from '@/lib/problem';
import type { Acts } from '../acts';
import { communitiesQuery, extentQuery, graphQuery } from '../api';
import { type Look, type MemorySearch, momentIn, standingAt } from '../place';
import { GraphView } from './GraphView';
import { LookTabs } from './LookTabs';
import { MemoryHead } from './MemoryHead';
import { NodeTable } from './NodeTable';
import { Recollected } from './Recollected';
import { TimeBar } from './TimeBar';
import { Timeline } from './Timeline';

interface MemoryViewProps {
  search: MemorySearch;
  groups: readonly ListedGroup[];
  /** The group that is looked at; undefined while it is not there yet. */
  group: MemoryGroup | undefined;
  chosen: string;
  searchField: ReactNode;
  acts: Acts;
  onSearch: (search: MemorySearch, replace?: boolean) => void;
}

const NO_COMMUNITIES: readonly Community[] = [];

/** Memory: a group as a picture, a list or a timeline, at any moment; or what it has on a query. */
export function MemoryView({ search, groups, group, chosen, searchField, acts, onSearch }: MemoryViewProps) {
  const { wish } = acts;
  const state = stateOf(group);
  const extent = useQuery({ ...extentQuery(chosen, state), enabled: group !== undefined }).data;
  const look = (next: Look) => {
    const { look: _look, q: _q, ...others } = search;
    onSearch(next === 'graph' ? others : { ...others, look: next });
  };
  const isEmpty = group === undefined || group.episodes === 0;
  return (
    <div className="flex h-full min-h-[36rem] flex-col gap-3 px-4 py-5 @2xl:px-6">
      <MemoryHead
        groups={groups}
        group={group}
        chosen={chosen}
        searchField={searchField}
        onGroup={(id) => onSearch({ group: id, ...(search.look && { look: search.look }) })}
        onAbout={() => acts.open({})}
        onAdd={wish && (() => wish({ do: 'add' }))}
      />
      {isEmpty ? (
        <NothingYet isWaiting={(group?.queued ?? 0) > 0} onAdd={wish && (() => wish({ do: 'add' }))} />
      ) : (
        <>
          {extent && (
            <TimeBar
              group={chosen}
              extent={extent}
              moment={momentIn(search)}
              onMoment={(moment) => onSearch(standingAt(search, moment), true)}
            />
          )}
          {search.q === undefined && <LookTabs look={search.look ?? 'graph'} onLook={look} />}
          {search.q === undefined ? (
            <Shown search={search} group={chosen} state={state} acts={acts} onLook={look} onSearch={onSearch} />
          ) : (
            <Recollected
              group={chosen}
              search={search}
              acts={acts}
              onEnded={(isWanted) => onSearch(withEnded(search, isWanted), true)}
            />
          )}
        </>
      )}
    </div>
  );
}

/** Changes whenever something was remembered or forgotten. */
function stateOf(group: MemoryGroup | undefined): string {
  return group === undefined ? '' : `${group.episodes}-${group.updated_at}`;
}

function withEnded(search: MemorySearch, isWanted: boolean): MemorySearch {
  const { ended: _, ...others } = search;
  return isWanted ? { ...others, ended: true } : others;
}

interface ShownProps {
  search: MemorySearch;
  group: string;
  state: string;
  acts: Acts;
  onLook: (look: Look) => void;
  onSearch: (search: MemorySearch, replace?: boolean) => void;
}

function Shown({ search, group, state, acts, onLook, onSearch }: ShownProps) {
  const moment = momentIn(search);
  const graph = useQuery(graphQuery(group, moment, state));
  const communities = useQuery(communitiesQuery(group, state)).data ?? NO_COMMUNITIES;
  if (search.look === 'timeline') {
    return (
      <Timeline
        group={group}
        state={state}
        moment={moment}
        opened={search.fact}
        onFact={(fact) => acts.open({ fact })}
        onMoment={(as_of) => onSearch(standingAt(search, { ...moment, as_of }), true)}
      />
    );
  }
  if (graph.error !== null && graph.data === undefined) {
    return (
      <Notice tone="bad" action={<Button onClick={() => void graph.refetch()}>Try again</Button>}>
        {messageOf(graph.error)}
      </Notice>
    );
  }
  if (graph.data === undefined) return <Skeleton rows={6} />;
  if (graph.data.nodes.length === 0) {
    const isNow = moment.as_of === undefined && moment.known_at === undefined;
    return (
      <EmptyState icon={<BrainCircuit />} title={isNow ? 'No facts yet' : 'Nothing was known then'}>
        {isNow
          ? 'The messages are remembered and can be searched, but nothing in them was read as a fact.'
          : 'Choose a later moment, or go back to now.'}
      </EmptyState>
    );
  }
  const shown: Graph = graph.data;
  return (
    <div aria-busy={graph.isPlaceholderData} className="flex min-h-0 flex-1 flex-col">
      {search.look === 'list' ? (
        <NodeTable
          graph={shown}
          communities={communities}
          selected={search.node}
          onNode={(node) => acts.open({ node })}
          onFact={(fact) => acts.open({ fact })}
        />
      ) : (
        <GraphView
          graph={shown}
          communities={communities}
          selected={search.node}
          onSelect={(node) => acts.open(node === null ? {} : { node })}
          onList={() => onLook('list')}
        />
      )}
    </div>
  );
}

function NothingYet({ isWaiting, onAdd }: { isWaiting: boolean; onAdd: (() => void) | undefined }) {
  return (
    <EmptyState
      icon={<BrainCircuit />}
      title={isWaiting ? 'It is being remembered' : 'Nothing is remembered here yet'}
      action={onAdd && !isWaiting && <Button onClick={onAdd}>Add a message</Button>}
    >
      {isWaiting
        ? 'What was said is being read for facts. They appear here in a moment.'
        : 'What is said in conversations, and what you or a program tell it, becomes facts in time: who, what, since when, until when, and who said so.'}
    </EmptyState>
  );
}
