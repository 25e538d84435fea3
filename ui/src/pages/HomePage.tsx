import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowRight, KeyRound, ScrollText, UserPlus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Avatar } from '@/components/Marks';
import { PageHead, Section } from '@/components/Section';
import { RecentActivity } from '@/features/audit/components/RecentActivity';
import { installationQuery } from '@/features/auth/api';
import { NoModelCard } from '@/features/models/components/NoModel';
import { useMembers } from '@/features/workspace/api';
import { count, shortDate } from '@/lib/format';
import { useMe } from '@/lib/me';
import { mayAdminister, mayWrite } from '@/lib/permissions';
import type { Member } from '@/lib/wire';
import { AskPart } from './home/AskPart';

const REGISTRATION = {
  invite: 'New accounts by invitation.',
  open: 'Anyone may create an account.',
  closed: 'No new accounts.',
} as const;

/** The workspace at a glance: who is here, what happened, what to do next. */
export function HomePage() {
  const me = useMe();
  const { query, members } = useMembers();
  const nameOf = (id: string) => members.find((member) => member.user_id === id)?.name;
  return (
    <div className="mx-auto max-w-5xl px-5 py-8 @2xl:px-10 @2xl:py-10">
      <PageHead
        title={me.workspace.name}
        action={query.isSuccess && <People members={members} isAll={!query.hasNextPage} />}
      >
        Your role: {me.role} · created {shortDate(me.workspace.created_at)}
      </PageHead>
      <NoModelCard isAdmin={mayAdminister(me.role)} />
      <AskPart mayAsk={mayWrite(me.role)} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-12 gap-y-2 @4xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
        <Section title="Next steps">
          <NextSteps mayInvite={mayAdminister(me.role)} />
        </Section>
        <div className="@max-4xl:border-t @max-4xl:border-line @max-4xl:pt-7">
          <Section
            title={mayAdminister(me.role) ? 'Recent activity' : 'Your recent activity'}
            action={
              <Link to="/settings/audit" className="text-sm font-medium text-accent hover:underline">
                Whole log
              </Link>
            }
          >
            <RecentActivity nameOf={nameOf} />
          </Section>
        </div>
      </div>
      <InstallationLine />
    </div>
  );
}

const FACES = 5;

/** The first few faces and the number of all. */
function People({ members, isAll }: { members: readonly Member[]; isAll: boolean }) {
  return (
    <Link
      to="/settings/workspace"
      className="flex items-center gap-2.5 rounded-md p-1.5 text-sm text-ink-2 hover:bg-bg hover:text-ink"
    >
      <span className="flex -space-x-1.5">
        {members.slice(0, FACES).map((member) => (
          <span key={member.user_id} className="rounded-full ring-2 ring-surface">
            <Avatar name={member.name} />
          </span>
        ))}
      </span>
      {count(members.length, 'member')}
      {!isAll && ' and more'}
    </Link>
  );
}

const STEP_LINK = 'group flex items-center gap-3.5 px-4 py-3.5 hover:bg-bg focus-visible:-outline-offset-2';

function NextSteps({ mayInvite }: { mayInvite: boolean }) {
  return (
    <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line">
      {mayInvite && (
        <li>
          <Link to="/settings/workspace" search={{ invite: true }} className={STEP_LINK}>
            <Step
              icon={<UserPlus />}
              title="Invite a colleague"
              text="Make a link that lets one person in, with the role you choose."
            />
          </Link>
        </li>
      )}
      <li>
        <Link to="/settings/keys" search={{ create: true }} className={STEP_LINK}>
          <Step
            icon={<KeyRound />}
            title="Create an API key"
            text="Let a script use Intelli as you, with only the rights it needs."
          />
        </Link>
      </li>
      <li>
        <Link to="/settings/audit" className={STEP_LINK}>
          <Step icon={<ScrollText />} title="Read the log" text="Who did what and when, sealed entry by entry." />
        </Link>
      </li>
    </ul>
  );
}

function Step({ icon, title, text }: { icon: ReactNode; title: string; text: string }) {
  return (
    <>
      <span
        aria-hidden
        className="grid size-9 shrink-0 place-items-center rounded-md bg-sunken text-ink-2 [&>svg]:size-4.5"
      >
        {icon}
      </span>
      <span className="min-w-0 flex-1">
        <span className="block font-medium">{title}</span>
        <span className="block text-sm text-pretty text-ink-2">{text}</span>
      </span>
      <ArrowRight aria-hidden className="size-4 shrink-0 text-ink-3 transition-transform group-hover:translate-x-0.5" />
    </>
  );
}

/** What runs here, and who may join. */
function InstallationLine() {
  const installation = useQuery(installationQuery).data;
  if (!installation) return null;
  return (
    <p className="mt-8 border-t border-line pt-4 text-xs text-ink-3">
      Intelli {installation.version}. {REGISTRATION[installation.registration]}
    </p>
  );
}
