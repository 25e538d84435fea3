import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { FileX2, History } from 'lucide-react';
import { buttonClass } from '@/components/Button';
import { EmptyState } from '@/components/EmptyState';
import { Skeleton } from '@/components/Loaded';
import { Time } from '@/components/Marks';
import { PageHead } from '@/components/Section';
import { CheckDeliverable } from '@/features/checks/components/CheckDeliverable';
import { contentQuery, deliverableQuery } from '@/features/deliverables/api';
import { ChangeMenu } from '@/features/deliverables/components/ChangeMenu';
import { CompareView } from '@/features/deliverables/components/CompareView';
import { DeliverableCard } from '@/features/deliverables/components/DeliverableCard';
import { DeliverableEditor } from '@/features/deliverables/components/DeliverableEditor';
import { ExportMenu } from '@/features/deliverables/components/ExportMenu';
import { StatusBadge } from '@/features/deliverables/components/KindMark';
import { VersionList } from '@/features/deliverables/components/VersionList';
import { factsOf, kindOf } from '@/features/deliverables/kinds';
import type { Deliverable } from '@/lib/deliverableWire';
import { useMe } from '@/lib/me';
import { mayWrite } from '@/lib/permissions';
import { messageOf } from '@/lib/problem';
import { DeliverableBody } from './deliverables/DeliverableBody';
import { useBesideReading } from './deliverables/useBesideReading';
import { ReadingBeside } from './reading';

const route = getRouteApi('/shell/deliverables/$id');

/** One deliverable: what it says or shows in the middle, its sources or the cited passage in the right pane. */
export function DeliverablePage() {
  const { id } = route.useParams();
  const search = route.useSearch();
  const query = useQuery(deliverableQuery(id));
  const reading = useBesideReading(id, search.doc !== undefined);
  if (query.data === undefined) return <Absent error={query.error} />;
  return (
    <div className="mx-auto max-w-5xl px-5 py-6 @2xl:px-8">
      <Head deliverable={query.data} />
      <Shown deliverable={query.data} reading={reading} isReading={search.doc !== undefined} />
      <ReadingBeside search={search} onPlace={reading.place} />
    </div>
  );
}

function Absent({ error }: { error: unknown }) {
  return (
    <div className="mx-auto max-w-4xl p-5">
      <h1 className="sr-only">Deliverable</h1>
      {error === null ? (
        <Skeleton rows={6} />
      ) : (
        <EmptyState icon={<FileX2 />} title="This cannot be shown">
          {messageOf(error)}
        </EmptyState>
      )}
    </div>
  );
}

function Head({ deliverable }: { deliverable: Deliverable }) {
  const { id, kind, title, status, conversation_id, finished_at, created_at } = deliverable;
  const { tab, than } = route.useSearch();
  const { role } = useMe();
  const navigate = useNavigate();
  const isAside = tab !== undefined || than !== undefined;
  return (
    <PageHead
      title={title}
      action={
        <div className="flex flex-wrap gap-2">
          <Link
            to="/deliverables/$id"
            params={{ id }}
            search={isAside ? {} : { tab: 'versions' }}
            className={buttonClass()}
          >
            <History aria-hidden className="size-4" /> {isAside ? 'Back to it' : 'Versions'}
          </Link>
          {status === 'completed' && mayWrite(role) && (
            <CheckDeliverable
              id={id}
              onStarted={(check) => void navigate({ to: '/check/$id', params: { id: check }, search: {} })}
            />
          )}
          {status === 'completed' && <ExportMenu deliverable={deliverable} />}
          {status === 'completed' && mayWrite(role) && !isAside && <ChangeMenu deliverable={deliverable} />}
        </div>
      }
    >
      <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-sm text-ink-3">
        <span>{kindOf(kind).text}</span>
        {status === 'completed' ? <span>{factsOf(deliverable)}</span> : <StatusBadge status={status} />}
        <Time at={finished_at ?? created_at} />
        {conversation_id !== null && (
          <Link to="/c/$id" params={{ id: conversation_id }} className="font-medium text-accent hover:underline">
            The conversation
          </Link>
        )}
      </p>
    </PageHead>
  );
}

interface ShownProps {
  deliverable: Deliverable;
  reading: ReturnType<typeof useBesideReading>;
  isReading: boolean;
}

function Shown({ deliverable, reading, isReading }: ShownProps) {
  const { tab, than } = route.useSearch();
  const { role } = useMe();
  if (than !== undefined) return <CompareView id={deliverable.id} than={than} />;
  if (tab === 'versions') return <VersionList id={deliverable.id} mayChange={mayWrite(role)} />;
  if (deliverable.status !== 'completed')
    return <DeliverableCard deliverable={deliverable} mayChange={mayWrite(role)} />;
  if (tab === 'edit') return <EditedDeliverable id={deliverable.id} />;
  return <DeliverableBody deliverable={deliverable} reading={reading} isReading={isReading} />;
}

function EditedDeliverable({ id }: { id: string }) {
  const query = useQuery(contentQuery(id));
  if (query.data === undefined) return <Skeleton rows={8} />;
  return <DeliverableEditor id={id} content={query.data} />;
}
