import { useInfiniteQuery } from '@tanstack/react-query';
import { ScrollText, SearchX } from 'lucide-react';
import { useState } from 'react';
import { EmptyState } from '@/components/EmptyState';
import { Loaded } from '@/components/Loaded';
import { Notice } from '@/components/Notice';
import { PageHead } from '@/components/Section';
import { itemsOf } from '@/lib/pages';
import type { AuditEntry, Member } from '@/lib/wire';
import { entriesQuery, useFollow, useVerify } from '../api';
import type { NameOf } from '../describe';
import { type AuditFilters, isFiltered, matches } from '../filters';
import { merge } from '../tail';
import { EntryTable } from './EntryTable';
import { FilterBar } from './FilterBar';
import { ExportMenu, FollowButton, VerifyButton, VerifyResult } from './LogTools';

interface LogViewProps {
  /** Admins see everyone's entries and may verify the chain; others see their own. */
  isAdmin: boolean;
  filters: AuditFilters;
  members: readonly Member[];
  nameOf: NameOf;
  selected: number | undefined;
  onFilter: (filters: AuditFilters) => void;
  onSelect: (entry: AuditEntry) => void;
}

/** The log: filtered, page by page, and live when switched on. */
export function LogView({ isAdmin, filters, members, nameOf, selected, onFilter, onSelect }: LogViewProps) {
  const query = useInfiniteQuery(entriesQuery(filters));
  const verify = useVerify();
  const [live, setLive] = useState(false);
  const loaded = itemsOf(query.data);
  const newest = query.isSuccess ? (loaded[0]?.seq ?? 0) : undefined;
  const following = useFollow(live, newest);
  const fresh = following.tail.filter((entry) => matches(entry, filters));
  const tools = (
    <div className="flex flex-wrap gap-2">
      <FollowButton on={live} state={following.state} onToggle={() => setLive(!live)} />
      <ExportMenu filters={filters} />
      {isAdmin && <VerifyButton verify={verify} />}
    </div>
  );
  return (
    <>
      <PageHead title="Audit log" action={tools}>
        {isAdmin ? 'Everything that happened in this workspace' : 'What you did in this workspace'}, each entry sealed
        with the one before it.
      </PageHead>
      <div className="grid gap-4">
        <VerifyResult verify={verify} />
        {following.refusal !== null && <Notice tone="bad">{following.refusal}</Notice>}
        <FilterBar filters={filters} onChange={onFilter} {...(isAdmin && { members })} />
        <div aria-busy={query.isPlaceholderData} className={query.isPlaceholderData ? 'opacity-60' : ''}>
          <Loaded query={query} items={merge(fresh, loaded)} empty={<NoEntries filtered={isFiltered(filters)} />}>
            {(list) => (
              <EntryTable
                entries={list}
                nameOf={nameOf}
                selected={selected}
                isNew={(entry) => fresh.includes(entry)}
                onSelect={onSelect}
              />
            )}
          </Loaded>
        </div>
      </div>
    </>
  );
}

function NoEntries({ filtered }: { filtered: boolean }) {
  if (!filtered) return <EmptyState icon={<ScrollText />} title="The log is empty" />;
  return (
    <EmptyState icon={<SearchX />} title="Nothing matches these filters">
      Widen the dates or clear a filter.
    </EmptyState>
  );
}
