/** Files and folders to put in focus. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { answer, api } from '@/lib/http';
import type { Document, Folder } from '@/lib/wire';

const SHOWN = 20;

export interface Choices {
  readonly folders: readonly Folder[];
  readonly documents: readonly Document[];
}

export function choicesQuery(name: string) {
  return queryOptions({
    queryKey: ['focus', name],
    queryFn: async ({ signal }): Promise<Choices> => {
      const [folders, documents] = await Promise.all([
        answer(api.GET('/api/v1/folders', { params: { query: { limit: 100 } }, signal })),
        answer(
          api.GET('/api/v1/documents', {
            params: { query: { limit: SHOWN, sort: '-updated_at', ...(name !== '' && { name }) } },
            signal,
          }),
        ),
      ]);
      const fits = (folder: Folder) => folder.name.toLowerCase().includes(name.toLowerCase());
      return { folders: folders.items.filter(fits).slice(0, SHOWN), documents: documents.items };
    },
    placeholderData: keepPreviousData,
  });
}
