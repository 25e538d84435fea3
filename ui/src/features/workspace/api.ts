/** The workspace, its people and the invitations to it. */
import {
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { answer, api, idempotent, ifVersion, session } from '@/lib/http';
import { enterWorkspace, meQuery } from '@/lib/me';
import { cursorPages, itemsOf, pageQuery } from '@/lib/pages';
import type { CreateInvitation, Role } from '@/lib/wire';

const MEMBERS_PAGE = 200;

export const workspaceQuery = queryOptions({
  queryKey: ['workspace'],
  queryFn: () => answer(api.GET('/api/v1/workspace')),
});

export const membersQuery = infiniteQueryOptions({
  queryKey: ['members'],
  queryFn: ({ pageParam }) =>
    answer(api.GET('/api/v1/members', { params: { query: pageQuery(pageParam, MEMBERS_PAGE) } })),
  ...cursorPages,
});

export const invitationsQuery = infiniteQueryOptions({
  queryKey: ['invitations'],
  queryFn: ({ pageParam }) => answer(api.GET('/api/v1/invitations', { params: { query: pageQuery(pageParam) } })),
  ...cursorPages,
});

/** The people of the workspace, as far as they are loaded, and whether there are more. */
export function useMembers() {
  const query = useInfiniteQuery(membersQuery);
  return { query, members: itemsOf(query.data) };
}

export function useRenameWorkspace() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ name, version }: { name: string; version: number }) =>
      answer(api.PATCH('/api/v1/workspace', { body: { name }, headers: ifVersion(version) })),
    onSuccess: (workspace) => {
      queries.setQueryData(workspaceQuery.queryKey, workspace);
      return queries.invalidateQueries(meQuery);
    },
  });
}

export interface WorkspaceRules {
  readonly keeps_evidence: boolean;
  readonly requires_review: boolean;
  readonly run_budget_cents: string | null;
}

export function useChangeRules() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ rules, version }: { rules: WorkspaceRules; version: number }) =>
      answer(api.PATCH('/api/v1/workspace', { body: rules, headers: ifVersion(version) })),
    onSuccess: (workspace) => {
      queries.setQueryData(workspaceQuery.queryKey, workspace);
      return queries.invalidateQueries(meQuery);
    },
  });
}

export function useCreateWorkspace() {
  return useMutation({
    mutationFn: (name: string) => answer(api.POST('/api/v1/workspaces', { body: { name }, headers: idempotent() })),
  });
}

/** Goes on in another workspace. */
export function useSwitchWorkspace() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (workspaceId: string) => {
      const body = { workspace_id: workspaceId, cookie_only: true };
      session.switchTo(await answer(api.POST('/api/v1/auth/switch', { body })));
      await enterWorkspace(queries);
    },
  });
}

export function useChangeRole() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ userId, role }: { userId: string; role: Role }) =>
      answer(api.PATCH('/api/v1/members/{user_id}', { params: { path: { user_id: userId } }, body: { role } })),
    onSettled: () => Promise.all([queries.invalidateQueries(membersQuery), queries.invalidateQueries(meQuery)]),
  });
}

export function useRemoveMember() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (userId: string) =>
      answer(api.DELETE('/api/v1/members/{user_id}', { params: { path: { user_id: userId } } })),
    onSuccess: () => queries.invalidateQueries(membersQuery),
  });
}

/** Leaves for good; the session ends with the membership. */
export async function leaveWorkspace(userId: string): Promise<void> {
  await answer(api.DELETE('/api/v1/members/{user_id}', { params: { path: { user_id: userId } } }));
  session.end();
}

export function useInvite() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: CreateInvitation) => answer(api.POST('/api/v1/invitations', { body, headers: idempotent() })),
    onSuccess: () => queries.invalidateQueries(invitationsQuery),
  });
}

export function useWithdraw() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      answer(api.DELETE('/api/v1/invitations/{invitation_id}', { params: { path: { invitation_id: id } } })),
    onSuccess: () => queries.invalidateQueries(invitationsQuery),
  });
}
