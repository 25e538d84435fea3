import { useQuery } from '@tanstack/react-query';
import { Search, SearchX } from 'lucide-react';
import { type KeyboardEvent, useCallback, useRef } from 'react';
import { EmptyState } from '@/components/EmptyState';
import { Loaded } from '@/components/Loaded';
import { PageHead } from '@/components/Section';
import { count } from '@/lib/format';
import { kindOf } from '@/lib/fileKind';
import type { SearchMetadata, SearchSource } from '@/lib/wire';
import { resultsQuery } from '../api';
import type { SearchQuery } from '../filters';
import { Results } from './Results';
import { SearchField } from './SearchField';
import { SearchFilters } from './SearchFilters';
import type { Opened, Passage } from './SourceCard';

interface SearchViewProps {
  search: SearchQuery;
  opened: Opened;
  onSearch: (search: SearchQuery) => void;
  onOpen: (passage: Passage) => void;
}

const NOTHING: readonly SearchSource[] = [];

/** Asks the library and shows the passages that answer, each a step from its place in the original. */
export function SearchView({ search, opened, onSearch, onOpen }: SearchViewProps) {
  const query = useQuery(resultsQuery(search));
  const list = useRef<HTMLDivElement>(null);
  const q = search.q ?? '';
  const found = q === '' ? NOTHING : (query.data?.sources ?? NOTHING);
  const shown = found.filter(({ mime_type }) => search.kind === undefined || kindOf(mime_type) === search.kind);
  const ask = useCallback((text: string) => onSearch(withText(search, text)), [onSearch, search]);

  const rows = () => [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
  function press(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const all = rows();
    const next = all.indexOf(event.target as HTMLElement) + step;
    if (next < 0) document.querySelector<HTMLElement>('main [data-search-field]')?.focus();
    else all[next]?.focus();
  }

  return (
    <div className="mx-auto max-w-4xl px-5 py-6 @2xl:px-8">
      <PageHead title="Search" />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <SearchField value={q} eager focused={q === ''} onSearch={ask} onDown={() => rows()[0]?.focus()} />
        <SearchFilters search={search} found={found} onChange={onSearch} />
        {q === '' ? (
          <EmptyState icon={<Search />} title="What are you looking for?">
            Words, a phrase or a whole question. Results show the passages that fit, and open at their place in the
            original.
          </EmptyState>
        ) : (
          // The passages are buttons; the keys that lead from one to the next are heard here.
          // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
          <div
            ref={list}
            onKeyDown={press}
            aria-busy={query.isFetching}
            className={query.isPlaceholderData ? 'opacity-60' : ''}
          >
            <WordsOnly metadata={query.data?.search_metadata} />
            <Loaded
              query={query}
              items={shown}
              empty={<NothingFound q={q} isNarrowed={Object.keys(search).length > 1} />}
            >
              {(sources) => (
                <>
                  <p role="status" className="mb-4 text-xs text-ink-3">
                    {summaryOf(sources, query.data?.search_metadata)}
                  </p>
                  <Results key={q} sources={sources} query={q} opened={opened} onOpen={onOpen} />
                </>
              )}
            </Loaded>
          </div>
        )}
      </div>
    </div>
  );
}

function withText(search: SearchQuery, text: string): SearchQuery {
  const { q: _, ...narrowed } = search;
  return text === '' ? narrowed : { ...narrowed, q: text };
}

function summaryOf(sources: readonly SearchSource[], metadata: SearchMetadata | undefined): string {
  const passages = sources.reduce((sum, { excerpts }) => sum + excerpts.length, 0);
  const found = `${count(passages, 'passage')} in ${count(sources.length, 'document')}`;
  if (metadata === undefined) return found;
  const how = metadata.semantic ? '' : ', by words alone';
  return `${found}, of ${count(metadata.total_chunks_searched, 'passage')} searched in ${Math.round(metadata.elapsed_ms)} ms${how}`;
}

/** Why a passage that says the same in other words may be missing; who runs the server can mend it. */
function WordsOnly({ metadata }: { metadata: SearchMetadata | undefined }) {
  if (!metadata?.words_only_reason) return null;
  return <p className="mb-4 text-sm text-ink-2">Meaning was not searched, only words. {metadata.words_only_reason}</p>;
}

function NothingFound({ q, isNarrowed }: { q: string; isNarrowed: boolean }) {
  return (
    <EmptyState icon={<SearchX />} title="Nothing fits">
      No passage was found for “<bdi>{q}</bdi>”.{' '}
      {isNarrowed ? 'Clear a filter, or try other words.' : 'Try other words, or add documents that speak of it.'}
    </EmptyState>
  );
}
