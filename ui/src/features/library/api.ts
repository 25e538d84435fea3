/** Folders and documents: what is there, and every change to it. */
import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { DOCUMENTS, isSettled } from '@/lib/documents';
import { answer, api, idempotent, ifVersion } from '@/lib/http';
import { cursorPages, pageQuery } from '@/lib/pages';
import type { Document, Folder } from '@/lib/wire';
import { documentParameters, type LibrarySearch } from './filters';

export const FOLDERS = ['folders'] as const;
export const STATUS = ['library-status'] as const;
const PAGE = 100;
const LATEST_PAGES = 5;
/** The stream tells of changes; this only covers a stream that is cut. */
const UNSETTLED_MS = 10_000;
const BUILDING_MS = 3_000;
const FILTERED_MS = 4_000;
const UNTRIED_MS = 4_000;

/** Questions to begin with. More are tried in the background; what is there by now is shown at once. */
export const firstQuestionsQuery = queryOptions({
  queryKey: ['first-questions'],
  queryFn: () => answer(api.GET('/api/v1/library/questions')),
  refetchInterval: ({ state }) => (state.data?.is_complete === false ? UNTRIED_MS : false),
});

export const foldersQuery = queryOptions({
  queryKey: FOLDERS,
  queryFn: async () => {
    const folders: Folder[] = [];
    for (let cursor: string | null = null; ;) {
      const page: { items: readonly Folder[]; next_cursor: string | null } = await answer(
        api.GET('/api/v1/folders', { params: { query: pageQuery(cursor, PAGE) } }),
      );
      folders.push(...page.items);
      cursor = page.next_cursor;
      if (cursor === null) return folders as readonly Folder[];
    }
  },
});

export function documentsQuery(search: LibrarySearch) {
  const query = documentParameters(search);
  return infiniteQueryOptions({
    queryKey: [DOCUMENTS, 'list', query],
    queryFn: ({ pageParam }) =>
      answer(api.GET('/api/v1/documents', { params: { query: { ...query, ...pageQuery(pageParam, PAGE) } } })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => {
      // News tell of documents, not of which list they now belong to.
      if (search.only !== undefined) return FILTERED_MS;
      return state.data?.pages.every((page) => page.items.every(isSettled)) === false ? UNSETTLED_MS : false;
    },
    ...cursorPages,
  });
}

export const recentQuery = infiniteQueryOptions({
  queryKey: [DOCUMENTS, 'list', 'recent'],
  queryFn: () =>
    answer(api.GET('/api/v1/documents', { params: { query: { recursive: true, sort: '-updated_at', limit: 5 } } })),
  ...cursorPages,
});

/** The documents that came last, as many as are asked for or a few pages of them. */
export async function latestDocuments(wanted: number): Promise<readonly Document[]> {
  const latest: Document[] = [];
  for (let cursor: string | null = null; ;) {
    const query = { recursive: true, sort: '-updated_at' as const, ...pageQuery(cursor, PAGE) };
    const page: { items: readonly Document[]; next_cursor: string | null } = await answer(
      api.GET('/api/v1/documents', { params: { query } }),
    );
    latest.push(...page.items);
    cursor = page.next_cursor;
    if (cursor === null || latest.length >= Math.min(wanted, LATEST_PAGES * PAGE)) return latest;
  }
}

/** The library in numbers. They come by themselves, but for how far the build of an index is: that is asked for. */
export const statusQuery = queryOptions({
  queryKey: STATUS,
  queryFn: () => answer(api.GET('/api/v1/library/status')),
  refetchInterval: ({ state }) => (state.data?.index_build ? BUILDING_MS : false),
});

/** Asks again for everything that is shown of the library. */
export function refreshLibrary(queries: QueryClient): Promise<unknown> {
  return Promise.all([STATUS, FOLDERS, [DOCUMENTS]].map((queryKey) => queries.invalidateQueries({ queryKey })));
}

/** Anything that changes the library: afterwards, also after a refusal, what is shown is asked for again. */
function useChange<Input, Output>(mutationFn: (input: Input) => Promise<Output>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () => refreshLibrary(queries),
  });
}

export function useCreateFolder() {
  return useChange((body: { name: string; parent_folder_id: string | null }) =>
    answer(api.POST('/api/v1/folders', { body, headers: idempotent() })),
  );
}

export function useChangeFolder() {
  return useChange(({ folder, ...body }: { folder: Folder; name?: string; parent_folder_id?: string | null }) =>
    answer(
      api.PATCH('/api/v1/folders/{folder_id}', {
        params: { path: { folder_id: folder.id } },
        body,
        headers: ifVersion(folder.version),
      }),
    ),
  );
}

export function useDeleteFolder() {
  return useChange((folder: Folder) =>
    answer(
      api.DELETE('/api/v1/folders/{folder_id}', {
        params: { path: { folder_id: folder.id }, query: { recursive: true } },
        headers: ifVersion(folder.version),
      }),
    ),
  );
}

export function useChangeDocument() {
  return useChange(({ document, ...body }: { document: Document; name?: string; folder_id?: string | null }) =>
    answer(
      api.PATCH('/api/v1/documents/{document_id}', {
        params: { path: { document_id: document.id } },
        body,
        headers: ifVersion(document.version),
      }),
    ),
  );
}

export function useDeleteDocument() {
  return useChange((document: Document) =>
    answer(
      api.DELETE('/api/v1/documents/{document_id}', {
        params: { path: { document_id: document.id } },
        headers: ifVersion(document.version),
      }),
    ),
  );
}

export function useRetry() {
  return useChange((id: string) =>
    answer(api.POST('/api/v1/documents/{document_id}/retry', { params: { path: { document_id: id } } })),
  );
}

export function useSync() {
  return useChange((id: string) =>
    answer(api.POST('/api/v1/documents/{document_id}/sync', { params: { path: { document_id: id } } })),
  );
}

export function useImport() {
  return useChange(({ source, reference, folder }: { source: string; reference: string; folder: string | null }) =>
    answer(
      api.POST('/api/v1/sources/{source_type}/import', {
        params: { path: { source_type: source } },
        body: { reference, folder_id: folder },
        headers: idempotent(),
      }),
    ),
  );
}
