/** Coming in and going out. */
import { queryOptions } from '@tanstack/react-query';
import { answer, api, idempotent, session } from '@/lib/http';

export const installationQuery = queryOptions({
  queryKey: ['installation'],
  queryFn: () => answer(api.GET('/api/v1/installation')),
});

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

export interface NewAccount extends Credentials {
  readonly name: string;
  readonly workspaceName?: string;
  readonly invitationToken?: string;
}

/** With an invitation, the account joins its workspace on the way in. */
export async function signIn({ email, password }: Credentials, invitationToken?: string): Promise<void> {
  const body = {
    email,
    password,
    cookie_only: true,
    ...(invitationToken !== undefined && { invitation_token: invitationToken }),
  };
  session.begin(await answer(api.POST('/api/v1/auth/login', { body })));
}

export async function register({ workspaceName, invitationToken, ...account }: NewAccount): Promise<void> {
  const body = {
    ...account,
    cookie_only: true,
    ...(workspaceName !== undefined && { workspace_name: workspaceName }),
    ...(invitationToken !== undefined && { invitation_token: invitationToken }),
  };
  session.begin(await answer(api.POST('/api/v1/auth/register', { body, headers: idempotent() })));
}

/** Ends the session on the server; the tab forgets it even when the server cannot be told. */
export async function signOut(): Promise<void> {
  try {
    await api.POST('/api/v1/auth/logout');
  } finally {
    session.end();
  }
}

export function invitationQuery(token: string) {
  return queryOptions({
    queryKey: ['invitation-preview', token],
    queryFn: () => answer(api.POST('/api/v1/invitations/preview', { body: { token } })),
    retry: false,
  });
}

/** Joins the workspace of an invitation and goes there. */
export async function acceptInvitation(token: string): Promise<void> {
  const belonging = await answer(api.POST('/api/v1/invitations/accept', { body: { token } }));
  const body = { workspace_id: belonging.workspace_id, cookie_only: true };
  session.switchTo(await answer(api.POST('/api/v1/auth/switch', { body })));
}
