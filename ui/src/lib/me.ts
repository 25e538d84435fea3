/** Who is signed in, where they act and what they may do: every part of the screen asks here. */
import { type QueryClient, queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { answer, api } from './http';

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: () => answer(api.GET('/api/v1/auth/me')),
  staleTime: 60_000,
});

/** Inside the shell only: the router has loaded it before. */
export function useMe() {
  return useSuspenseQuery(meQuery).data;
}

/** After a change of workspace: what was loaded belongs to the old one and is forgotten. */
export async function enterWorkspace(queries: QueryClient): Promise<void> {
  await queries.cancelQueries();
  await queries.fetchQuery({ ...meQuery, staleTime: 0 });
  void queries.resetQueries({ predicate: (query) => query.queryKey[0] !== meQuery.queryKey[0] });
}
