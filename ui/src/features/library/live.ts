/** Follows the library: what the server tells of a document goes straight into every list that shows it. */
import { type InfiniteData, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { DOCUMENTS } from '@/lib/documents';
import { session } from '@/lib/http';
import { useMe } from '@/lib/me';
import { readEvents } from '@/lib/sse';
import type { Document, DocumentNews, LibraryStatus, PageOf } from '@/lib/wire';
import { refreshLibrary, STATUS } from './api';
import { hear } from './uploads';

/** Many documents may come at once; the lists are asked for anew at most this often. */
const REFRESH_MS = 1_000;

type Pages = InfiniteData<PageOf<Document>, string | null>;

/** The lists with the news in them; the very same object when no row is concerned. */
export function withNews(pages: Pages, news: DocumentNews): Pages {
  if (!holds(pages, news.id)) return pages;
  const apply = (document: Document) => (document.id === news.id ? { ...document, ...news } : document);
  return { ...pages, pages: pages.pages.map((page) => ({ ...page, items: page.items.map(apply) })) };
}

export function holds(pages: Pages, id: string): boolean {
  return pages.pages.some((page) => page.items.some((document) => document.id === id));
}

/** Keeps the screen current for as long as a component that calls this is on it. */
export function useLiveLibrary(): void {
  const queries = useQueryClient();
  const { workspace } = useMe();
  useEffect(() => join(queries, workspace.id), [queries, workspace.id]);
}

interface Stream {
  followers: number;
  readonly stop: () => void;
}

const streams = new Map<string, Stream>();

/** All who follow a workspace share one stream; the last to leave ends it. */
function join(queries: QueryClient, workspace: string): () => void {
  const stream = streams.get(workspace) ?? { followers: 0, stop: follow(queries) };
  stream.followers += 1;
  streams.set(workspace, stream);
  return () => {
    stream.followers -= 1;
    if (stream.followers > 0) return;
    stream.stop();
    streams.delete(workspace);
  };
}

function follow(queries: QueryClient): () => void {
  const ending = new AbortController();
  const refresh = atMostEvery(REFRESH_MS, () => refreshLibrary(queries));
  let wasCut = false;
  void readEvents({
    url: '/api/v1/library/stream',
    credentials: session,
    signal: ending.signal,
    onState: (state) => {
      if (state === 'open' && wasCut) refresh();
      wasCut = state === 'reconnecting';
    },
    onEvent: ({ event, data }) => {
      // An answer still on its way may be older than the news, and would stay on the screen in its place.
      const isOvertaking = [STATUS, [DOCUMENTS]].some((queryKey) => queries.isFetching({ queryKey }) > 0);
      if (event === 'status') queries.setQueryData(STATUS, JSON.parse(data) as LibraryStatus);
      const isShown = event !== 'document' || takeNews(queries, JSON.parse(data) as DocumentNews);
      if (isOvertaking || !isShown) refresh();
    },
  }).catch(() => undefined);
  return () => ending.abort();
}

/** False when the document is in no list yet. */
function takeNews(queries: QueryClient, news: DocumentNews): boolean {
  hear([news]);
  queries.setQueriesData<Document>(
    { queryKey: [DOCUMENTS, 'one', news.id] },
    (document) => document && { ...document, ...news },
  );
  const lists = queries.getQueriesData<Pages>({ queryKey: [DOCUMENTS, 'list'] });
  for (const [key, pages] of lists) if (pages) queries.setQueryData(key, withNews(pages, news));
  return lists.some(([, pages]) => pages && holds(pages, news.id));
}

/** Runs at once, then at most once per interval and never twice at a time; what came between is not lost. */
export function atMostEvery(ms: number, run: () => Promise<unknown>): () => void {
  let isResting = false;
  let again = false;
  const rest = () => new Promise((resolve) => setTimeout(resolve, ms));
  const call = () => {
    again = isResting;
    if (isResting) return;
    isResting = true;
    void Promise.allSettled([run(), rest()]).then(() => {
      isResting = false;
      if (again) call();
    });
  };
  return call;
}
