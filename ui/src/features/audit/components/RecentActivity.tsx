import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { ScrollText } from 'lucide-react';
import { EmptyState } from '@/components/EmptyState';
import { Loaded } from '@/components/Loaded';
import { Time } from '@/components/Marks';
import type { NameOf } from '../describe';
import { recentQuery } from '../api';
import { EntrySentence } from './EntrySentence';

/** The last few things that happened, as sentences. */
export function RecentActivity({ nameOf }: { nameOf: NameOf }) {
  const query = useQuery(recentQuery);
  return (
    <Loaded
      query={query}
      items={query.data?.items ?? []}
      empty={<EmptyState icon={<ScrollText />} title="Nothing has happened yet" />}
    >
      {(entries) => (
        <ol className="border-l border-line">
          {entries.map((entry) => (
            <li key={entry.seq} className="relative flex flex-wrap items-baseline justify-between gap-x-4 py-1.5 pl-5">
              <span
                aria-hidden
                className={clsx(
                  'absolute top-3.5 -left-[4.5px] size-2 rounded-full ring-4 ring-surface',
                  entry.success ? 'bg-line-strong' : 'bg-bad',
                )}
              />
              <span className="min-w-0 text-ink-2 [overflow-wrap:anywhere] [&>bdi:first-child]:font-medium [&>bdi:first-child]:text-ink">
                <EntrySentence entry={entry} nameOf={nameOf} />
              </span>
              <span className="text-xs text-ink-3">
                <Time at={entry.created_at} />
              </span>
            </li>
          ))}
        </ol>
      )}
    </Loaded>
  );
}
