import { useQuery } from '@tanstack/react-query';
import { SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from '@/components/EmptyState';
import { Loaded } from '@/components/Loaded';
import { count } from '@/lib/format';
import type { Recollections } from '@/lib/memoryWire';
import type { Acts } from '../acts';
import { recollectionsQuery } from '../api';
import { momentIn, type MemorySearch } from '../place';
import { EpisodeLine } from './EpisodeLine';
import { FactLine } from './FactLine';

interface RecollectedProps {
  group: string;
  search: MemorySearch;
  acts: Acts;
  onEnded: (isWanted: boolean) => void;
}

/** What memory has on a query, as of the moment that is looked at: facts, nodes and what was said. */
export function Recollected({ group, search, acts, onEnded }: RecollectedProps) {
  const moment = momentIn(search);
  const query = useQuery(recollectionsQuery(group, search.q ?? '', moment, search.ended === true));
  const found = query.data;
  const total = found === undefined ? [] : [...found.facts, ...found.nodes, ...found.episodes];
  return (
    <div
      aria-busy={query.isFetching}
      className={`min-h-0 flex-1 overflow-y-auto ${query.isPlaceholderData ? 'opacity-60' : ''}`}
    >
      <label className="mb-3 flex w-fit items-center gap-2 text-sm text-ink-2">
        <input type="checkbox" checked={search.ended === true} onChange={(event) => onEnded(event.target.checked)} />{' '}
        Also what ended or has not begun
      </label>
      <Loaded
        query={query}
        items={total}
        empty={
          <EmptyState icon={<SearchX />} title="Nothing is remembered of this">
            Other words may find it, or another time: what ended is found when you ask for it.
          </EmptyState>
        }
      >
        {() => found && <Found found={found} search={search} acts={acts} />}
      </Loaded>
    </div>
  );
}

function Found({ found, search, acts }: { found: Recollections; search: MemorySearch; acts: Acts }) {
  const moment = momentIn(search);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <p role="status" className="text-xs text-ink-3">
        {count(found.facts.length, 'fact')}, {count(found.nodes.length, 'node')},{' '}
        {count(found.episodes.length, 'episode')} in {Math.round(found.elapsed_ms)} ms
        {found.semantic ? '' : ', by words alone'}
      </p>
      <Group title="Facts" isEmpty={found.facts.length === 0}>
        {found.facts.map((fact) => (
          <FactLine
            key={fact.id}
            fact={fact}
            moment={moment}
            isOpen={fact.id === search.fact}
            onOpen={(id) => acts.open({ fact: id })}
          />
        ))}
      </Group>
      <Group title="Nodes" isEmpty={found.nodes.length === 0}>
        {found.nodes.map((node) => (
          <li key={node.id}>
            <button
              type="button"
              data-row
              aria-current={node.id === search.node || undefined}
              onClick={() => acts.open({ node: node.id })}
              className={`block w-full rounded-md px-2.5 py-1.5 text-left focus-visible:-outline-offset-2 ${node.id === search.node ? 'bg-accent-soft' : 'hover:bg-hover'}`}
            >
              <bdi className="block text-sm font-medium [overflow-wrap:anywhere]">{node.name}</bdi>
              <span className="line-clamp-2 text-xs text-ink-3">
                {[node.labels.join(', '), node.summary].filter(Boolean).join(' · ')}
              </span>
            </button>
          </li>
        ))}
      </Group>
      <Group title="Said" isEmpty={found.episodes.length === 0}>
        {found.episodes.map((episode) => (
          <EpisodeLine
            key={episode.id}
            episode={episode}
            isOpen={episode.id === search.episode}
            isUpdated={episode.updated_by !== null}
            onOpen={(id) => acts.open({ episode: id })}
          />
        ))}
      </Group>
    </div>
  );
}

function Group({ title, isEmpty, children }: { title: string; isEmpty: boolean; children: ReactNode }) {
  if (isEmpty) return null;
  return (
    <section aria-label={title}>
      <h2 className="mb-1 text-xs font-semibold text-ink-3">{title}</h2>
      <ul aria-label={title} className="-mx-2.5 grid grid-cols-[minmax(0,1fr)] gap-0.5">
        {children}
      </ul>
    </section>
  );
}
