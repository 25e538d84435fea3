/** Checks of texts as the server knows them; one that is at work is looked at again until it is done. */
import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { type CheckForm, isCheckOver, type NewTextCheck, type TextCheckSummary } from '@/lib/checkWire';
import { answer, api, idempotent } from '@/lib/http';
import { cursorPages, pageQuery } from '@/lib/pages';
import { send } from '@/lib/upload';
import type { Document } from '@/lib/wire';

const PATH = '/api/v1/checks';
const CHECKS = 'checks';
const WORKING_MS = 1_000;
const DOCUMENTS_SHOWN = 20;

export const checksQuery = infiniteQueryOptions({
  queryKey: [CHECKS, 'list'],
  queryFn: ({ pageParam, signal }) =>
    answer(api.GET('/api/v1/checks', { params: { query: pageQuery(pageParam) }, signal })),
  ...cursorPages,
  refetchInterval: ({ state }) =>
    state.data?.pages.every(({ items }) => items.every(isCheckOver)) === false ? WORKING_MS : false,
});

export function checkQuery(id: string) {
  return queryOptions({
    queryKey: [CHECKS, 'one', id],
    queryFn: ({ signal }) =>
      answer(api.GET('/api/v1/checks/{check_id}', { params: { path: { check_id: id } }, signal })),
    refetchInterval: ({ state }) => (state.data && !isCheckOver(state.data) ? WORKING_MS : false),
  });
}

/** Documents of the library that can be checked, the latest first. */
export function documentChoicesQuery(name: string) {
  return queryOptions({
    queryKey: [CHECKS, 'documents', name],
    queryFn: async ({ signal }) =>
      (
        await answer(
          api.GET('/api/v1/documents', {
            params: { query: { limit: DOCUMENTS_SHOWN, sort: '-updated_at', ...(name !== '' && { name }) } },
            signal,
          }),
        )
      ).items as readonly Document[],
    placeholderData: keepPreviousData,
  });
}

/** What is to be checked. */
export type Subject =
  | { readonly of: 'text'; readonly text: string }
  | { readonly of: 'file'; readonly file: File }
  | { readonly of: 'document'; readonly document: Pick<Document, 'id' | 'name'> }
  | { readonly of: 'deliverable'; readonly id: string };

export interface CheckWish {
  readonly subject: Subject;
  /** Where to look for passages; null is the whole library. */
  readonly folder: string | null;
}

export function useStartCheck() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ subject, folder }: CheckWish) =>
      subject.of === 'file' ? sendFile(subject.file, folder) : start(subject, folder),
    onSettled: () => queries.invalidateQueries({ queryKey: [CHECKS, 'list'] }),
  });
}

function start(subject: Exclude<Subject, { of: 'file' }>, folder: string | null): Promise<TextCheckSummary> {
  return answer(
    api.POST('/api/v1/checks', {
      headers: idempotent(),
      body: { ...named(subject), ...(folder !== null && { context: { folder_id: folder } }) },
    }),
  );
}

function named(subject: Exclude<Subject, { of: 'file' }>): Omit<NewTextCheck, 'context'> {
  if (subject.of === 'text') return { text: subject.text };
  return subject.of === 'document' ? { document_id: subject.document.id } : { deliverable_id: subject.id };
}

async function sendFile(file: File, folder: string | null): Promise<TextCheckSummary> {
  const form = new FormData();
  if (folder !== null) form.append('folder_id', folder);
  form.append('file', file, file.name);
  const { signal } = new AbortController();
  const sent = await send<TextCheckSummary>({ url: `${PATH}/file`, form, signal, onProgress: () => undefined });
  return sent.body;
}

export function useCancelCheck() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      answer(api.POST('/api/v1/checks/{check_id}/cancel', { params: { path: { check_id: id } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: [CHECKS] }),
  });
}

export function useDeleteCheck() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => answer(api.DELETE('/api/v1/checks/{check_id}', { params: { path: { check_id: id } } })),
    onSuccess: (_, id) => queries.removeQueries({ queryKey: [CHECKS, 'one', id] }),
    onSettled: () => queries.invalidateQueries({ queryKey: [CHECKS, 'list'] }),
  });
}

export const EXPORT_FORMATS = [
  { format: 'docx', text: 'Word', note: 'With a comment on each statement' },
  { format: 'html', text: 'Web page', note: 'One file' },
  { format: 'json', text: 'JSON', note: 'For programs' },
] as const satisfies readonly { readonly format: CheckForm; readonly text: string; readonly note: string }[];

export function exportPath(id: string, format: CheckForm): string {
  return `${PATH}/${id}/export?format=${format}`;
}
