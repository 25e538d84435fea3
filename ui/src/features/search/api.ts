/** Searching the library, and what a search may be narrowed to. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { answer, api } from '@/lib/http';
import type { Folder } from '@/lib/wire';
import type { SearchQuery } from './filters';

const LIMIT = 20;

/** The kind of file is not the server's to filter by: it narrows what is shown, so that its counts can be shown too. */
export function resultsQuery({ q = '', folder, source }: SearchQuery) {
  return queryOptions({
    queryKey: ['search', q, folder, source],
    queryFn: ({ signal }) =>
      answer(
        api.POST('/api/v1/search', {
          body: {
            query: q,
            limit: LIMIT,
            ...(folder !== undefined && { folder }),
            ...(source !== undefined && { source_types: [source] }),
          },
          signal,
        }),
      ),
    enabled: q !== '',
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
}

export const sourcesQuery = queryOptions({
  queryKey: ['sources'],
  queryFn: () => answer(api.GET('/api/v1/sources')),
  staleTime: 60_000,
});

/** Folders to choose from; more than this are reached from the library. */
export const folderChoicesQuery = queryOptions({
  queryKey: ['folders', 'choices'],
  queryFn: async () =>
    (await answer(api.GET('/api/v1/folders', { params: { query: { limit: 100 } } }))).items as readonly Folder[],
});
