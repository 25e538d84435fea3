import type { ReactNode } from 'react';
import { messageOf } from '@/lib/problem';
import { Button } from './Button';
import { Notice } from './Notice';

interface Listing {
  readonly isPending: boolean;
  readonly error: unknown;
  readonly refetch: () => unknown;
  readonly hasNextPage?: boolean;
  readonly isFetchingNextPage?: boolean;
  readonly fetchNextPage?: () => unknown;
}

interface LoadedProps<Item> {
  query: Listing;
  items: readonly Item[];
  empty: ReactNode;
  children: (items: readonly Item[]) => ReactNode;
}

/** The four states of every list: loading, failed, empty, full; and more, when there is more. */
export function Loaded<Item>({ query, items, empty, children }: LoadedProps<Item>) {
  if (query.isPending) return <Skeleton />;
  if (query.error !== null && items.length === 0) {
    return (
      <Notice tone="bad" action={<Button onClick={() => void query.refetch()}>Try again</Button>}>
        {messageOf(query.error)}
      </Notice>
    );
  }
  if (items.length === 0) return empty;
  return (
    <>
      {children(items)}
      {query.hasNextPage === true && (
        <div className="mt-3 flex justify-center">
          <Button busy={query.isFetchingNextPage ?? false} onClick={() => void query.fetchNextPage?.()}>
            Load more
          </Button>
        </div>
      )}
    </>
  );
}

/** Grey bars where rows will be, after a moment: a fast answer shows none. */
export function Skeleton({ rows = 3 }: { rows?: number }) {
  return (
    <div
      role="status"
      aria-label="Loading"
      className="fade-in grid gap-2 [animation-delay:150ms] [animation-fill-mode:backwards]"
    >
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="h-9 animate-pulse rounded-md bg-sunken" />
      ))}
    </div>
  );
}
