/** Lists that come page by page. */
import type { InfiniteData } from '@tanstack/react-query';
import type { PageOf } from './wire';

/** The options every cursor list shares. */
export const cursorPages = {
  initialPageParam: null as string | null,
  getNextPageParam: (last: { readonly next_cursor: string | null }) => last.next_cursor,
};

export function itemsOf<Item>(data: InfiniteData<PageOf<Item>> | undefined): readonly Item[] {
  return data?.pages.flatMap((page) => page.items) ?? [];
}

/** The query parameters of one page. */
export function pageQuery(cursor: string | null, limit = 50) {
  return cursor === null ? { limit } : { limit, cursor };
}
