import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { buttonClass } from '@/components/Button';
import { Skeleton } from '@/components/Loaded';
import { Notice } from '@/components/Notice';
import { invitationQuery } from '@/features/auth/api';
import { DoorAside } from '@/features/auth/components/DoorAside';
import { SignInFrame } from '@/features/auth/components/SignInFrame';
import { InvitationDoor } from '@/features/auth/components/InvitationDoor';
import { toast } from '@/lib/announce';
import { messageOf } from '@/lib/problem';

const route = getRouteApi('/join');

/** Where an invitation link leads. Its token stays in the fragment, which browsers never send to a server. */
export function JoinPage() {
  const [token] = useState(() => location.hash.slice(1));
  const { me } = route.useLoaderData();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const query = useQuery({ ...invitationQuery(token), enabled: token !== '' });

  async function joined() {
    queries.clear();
    await navigate({ to: '/' });
    toast(`Welcome to ${query.data?.workspace_name ?? 'the workspace'}.`);
  }

  const refusal =
    token === ''
      ? 'The link is not complete. Copy all of it, also the part after the # sign.'
      : query.error && messageOf(query.error);
  const title = query.data ? `Join ${query.data.workspace_name}` : 'Join a workspace';
  return (
    <SignInFrame title={title} aside={<DoorAside />}>
      <div className="mt-4 grid gap-5">
        {refusal && <RefusedInvitation text={refusal} />}
        {!refusal && query.isPending && <Skeleton />}
        {query.data && (
          <InvitationDoor token={token} invitation={query.data} user={me?.user ?? null} onJoined={joined} />
        )}
      </div>
    </SignInFrame>
  );
}

function RefusedInvitation({ text }: { text: string }) {
  return (
    <>
      <Notice tone="bad">{text}</Notice>
      <p className="text-sm text-pretty text-ink-2">Ask the person who invited you for a new link.</p>
      <Link to="/" className={buttonClass('outline')}>
        Go to Intelli
      </Link>
    </>
  );
}
