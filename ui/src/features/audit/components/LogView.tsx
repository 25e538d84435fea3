import { useInfiniteQuery } from '@tanstack/react-query';
import { ScrollText, SearchX } from 'lucide-react';
import { useState } from 'react';
import { EmptyState } from '@/components/EmptyState';
import { Loaded } from '@/components/Loaded';
import { Notice } from '@/components/Notice';
import { itemsOf } from '@/lib/pages';
import type { AuditEntry, Member } from '@/lib/wire';
import { entriesQuery, useFollow } from '../api';
import type { NameOf } from '../describe';
import { type AuditFilters, isFiltered, matches } from '../filters';
import { merge } from '../tail';
import { EntryTable } from './EntryTable';
import { FilterBar } from './FilterBar';
import { ExportMenu, FollowButton } from './LogTools';

interface LogViewProps {
  filters: AuditFilters;
  members?: readonly Member[];
  nameOf: NameOf;
  selected: number | undefined;
  onFilter: Parameters<typeof FilterBar>[0]['onChange'];
  onClear: () => void;
  onSelect: (entry: AuditEntry) => void;
}

/** The log: filtered, page by page, and live when switched on. */
export function LogView({ filters, members, nameOf, selected, onFilter, onClear, onSelect }: LogViewProps) {
  const query = useInfiniteQuery(entriesQuery(filters));
  const [live, setLive] = useState(false);
  const loaded = itemsOf(query.data);
  const newest = query.isSuccess ? (loaded[0]?.seq ?? 0) : undefined;
  const following = useFollow(live, newest);
  const fresh = following.tail.filter((entry) => matches(entry, filters));
  const entries = merge(fresh, loaded);

  const empty = isFiltered(filters) ? (
    <EmptyState icon={<SearchX />} title="Nothing matches these filters">
      Widen the dates or clear a filter.
    </EmptyState>
  ) : (
    <EmptyState icon={<ScrollText />} title="The log is empty" />
  );
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <FilterBar filters={filters} onChange={onFilter} onClear={onClear} {...(members && { members })} />
        <div className="flex gap-2">
          <FollowButton on={live} state={following.state} onToggle={() => setLive(!live)} />
          <ExportMenu filters={filters} />
        </div>
      </div>
      {following.refusal !== null && <Notice tone="bad">{following.refusal}</Notice>}
      <div aria-busy={query.isPlaceholderData} className={query.isPlaceholderData ? 'opacity-60' : ''}>
        <Loaded query={query} items={entries} empty={empty}>
          {(list) => <EntryTable entries={list} nameOf={nameOf} selected={selected} isNew={(entry) => fresh.includes(entry)} onSelect={onSelect} />}
        </Loaded>
      </div>
    </div>
  );
}
