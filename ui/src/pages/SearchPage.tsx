import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { type ReadingSearch, readReadingSearch, withoutReading } from '@/features/reading/place';
import { SearchView } from '@/features/search/components/SearchView';
import type { Passage } from '@/features/search/components/SourceCard';
import { readSearchQuery, type SearchQuery } from '@/features/search/filters';
import { showRight } from '@/lib/panes';
import { ReadingBeside } from './reading';

const route = getRouteApi('/shell/search');

/** The results on the page, the chosen passage in the right pane. */
export function SearchPage() {
  const search = route.useSearch();
  const navigate = useNavigate();

  const place = (reading: ReadingSearch) =>
    void navigate({ to: '/search', search: { ...withoutReading(search), ...reading } });
  const ask = useCallback(
    (query: SearchQuery) =>
      void navigate({
        to: '/search',
        search: (now) => ({ ...query, ...readReadingSearch({ ...now }) }),
        replace: true,
      }),
    [navigate],
  );

  function open({ document, version, start, end, page }: Passage) {
    place({ doc: document, version, start, end, ...(page !== null && { page }) });
    showRight();
  }

  return (
    <>
      <SearchView
        search={readSearchQuery({ ...search })}
        opened={{ document: search.doc, start: search.start }}
        onSearch={ask}
        onOpen={open}
      />
      <ReadingBeside search={search} onPlace={place} />
    </>
  );
}
