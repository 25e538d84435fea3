import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { PageHead } from '@/components/Section';
import { DeliverableList } from '@/features/deliverables/components/DeliverableList';
import { useMe } from '@/lib/me';
import { mayWrite } from '@/lib/permissions';

const route = getRouteApi('/shell/deliverables');

/** What was made of answers: reports, websites, slides and documents. */
export function DeliverablesPage() {
  const { role } = useMe();
  const navigate = useNavigate();
  return (
    <div className="mx-auto max-w-4xl px-5 py-7 @2xl:px-8">
      <PageHead title="Deliverables">
        Reports, websites, slides and documents. Each keeps its versions, its sources and the way back to the passages
        it rests on.
      </PageHead>
      <DeliverableList
        search={route.useSearch()}
        mayChange={mayWrite(role)}
        onSearch={(search) => void navigate({ to: '/deliverables', search, replace: true })}
      />
    </div>
  );
}
