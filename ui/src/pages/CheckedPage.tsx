import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { ArrowLeft, FileX2 } from 'lucide-react';
import { useCallback } from 'react';
import { EmptyState } from '@/components/EmptyState';
import { Skeleton } from '@/components/Loaded';
import { Time } from '@/components/Marks';
import { InRightPane } from '@/components/RightPane';
import { PageHead } from '@/components/Section';
import { checkQuery } from '@/features/checks/api';
import { CheckDownloads } from '@/features/checks/components/CheckDownloads';
import { CheckedText } from '@/features/checks/components/CheckedText';
import { DeleteCheck } from '@/features/checks/components/CheckList';
import { CheckProgress } from '@/features/checks/components/CheckProgress';
import { StatementPanel } from '@/features/checks/components/StatementPanel';
import { VerdictFilter } from '@/features/checks/components/VerdictFilter';
import type { CheckSearch } from '@/features/checks/place';
import { useStatementKeys } from '@/features/checks/useStatementKeys';
import { type ReadingSearch, withoutReading } from '@/features/reading/place';
import type { TextCheck, TextStatement } from '@/lib/checkWire';
import { useMe } from '@/lib/me';
import { showRight } from '@/lib/panes';
import { mayWrite } from '@/lib/permissions';
import { messageOf } from '@/lib/problem';
import { ReadingBeside } from './reading';
import { useOpening } from './useOpening';

const route = getRouteApi('/shell/check/$id');

/** A checked text in the middle; in the right pane the statement that is looked at, or the source that speaks of it. */
export function CheckedPage() {
  const { id } = route.useParams();
  const query = useQuery(checkQuery(id));
  if (query.data) return <Checked key={id} check={query.data} />;
  return (
    <div className="mx-auto max-w-4xl px-5 py-7 @2xl:px-8">
      <h1 className="sr-only">Check</h1>
      {query.error === null ? (
        <Skeleton rows={5} />
      ) : (
        <EmptyState icon={<FileX2 />} title="This check cannot be shown">
          {messageOf(query.error)}
        </EmptyState>
      )}
    </div>
  );
}

function Checked({ check }: { check: TextCheck }) {
  const search = route.useSearch();
  const navigate = useNavigate();
  const { role } = useMe();
  const { id, title, counts, statements, created_at } = check;
  const go = useCallback(
    (change: CheckSearch & ReadingSearch) =>
      void navigate({ to: '/check/$id', params: { id }, search: (now) => ({ ...withoutReading(now), ...change }) }),
    [navigate, id],
  );
  const select = useCallback(
    ({ number }: TextStatement) => {
      go({ statement: number });
      showRight();
    },
    [go],
  );
  const reading = useOpening(go, search.doc !== undefined);
  useStatementKeys();
  const selected = statements.find(({ number }) => number === search.statement) ?? null;
  const mayChange = mayWrite(role);

  return (
    <div className="mx-auto max-w-4xl px-5 py-7 @2xl:px-8">
      <Link to="/check" className="mb-2 inline-flex items-center gap-1.5 text-sm text-ink-3 hover:text-ink">
        <ArrowLeft aria-hidden className="size-4" /> All checks
      </Link>
      <PageHead
        title={title}
        action={
          <div className="flex items-center gap-1.5">
            {statements.length > 0 && <CheckDownloads id={id} />}
            {mayChange && <DeleteCheck check={check} onDeleted={() => void navigate({ to: '/check' })} />}
          </div>
        }
      >
        <span className="text-sm text-ink-3">
          <Time at={created_at} />
        </span>
      </PageHead>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        <CheckProgress check={check} mayChange={mayChange} />
        {statements.length > 0 && (
          <VerdictFilter
            counts={counts}
            shown={search.verdict}
            onShow={(verdict) =>
              void navigate({
                to: '/check/$id',
                params: { id },
                search: ({ verdict: _before, ...now }) => ({ ...now, ...(verdict && { verdict }) }),
                replace: true,
              })
            }
          />
        )}
        <CheckedText check={check} shown={search.verdict} selected={search.statement} onSelect={select} />
      </div>
      {search.doc === undefined ? (
        <InRightPane>
          <StatementPanel statement={selected} onOpen={reading.openPassage} />
        </InRightPane>
      ) : (
        <ReadingBeside search={search} onPlace={go} />
      )}
    </div>
  );
}
