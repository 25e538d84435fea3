import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Shapes, Square, Undo2 } from 'lucide-react';
import { Button } from '@/components/Button';
import { EmptyState } from '@/components/EmptyState';
import { FilterChoice } from '@/components/FilterField';
import { Loaded } from '@/components/Loaded';
import { Time } from '@/components/Marks';
import { ProgressBar } from '@/components/ProgressBar';
import { toast } from '@/lib/announce';
import { type Deliverable, isOver } from '@/lib/deliverableWire';
import { itemsOf } from '@/lib/pages';
import { messageOf } from '@/lib/problem';
import { listQuery, useCancel, useTrash } from '../api';
import { factsOf, kindOf, KINDS, phaseOf, STATUS_NAMES, STATUSES } from '../kinds';
import { type ListSearch, readListSearch } from '../place';
import { RetryButton } from './DeliverableCard';
import { KindMark, StatusBadge } from './KindMark';

interface DeliverableListProps {
  search: ListSearch;
  mayChange: boolean;
  onSearch: (search: ListSearch) => void;
}

/** All that was made in this workspace, the newest first. */
export function DeliverableList({ search, mayChange, onSearch }: DeliverableListProps) {
  const query = useInfiniteQuery(listQuery(search));
  const isNarrowed = search.kind !== undefined || search.status !== undefined || search.trash === true;
  const narrow = (change: Record<string, string>) => onSearch(readListSearch({ ...search, ...change }));
  const empty = isNarrowed ? (
    <EmptyState
      icon={<Shapes />}
      title="Nothing fits"
      action={<Button onClick={() => onSearch({})}>Show all</Button>}
    />
  ) : (
    <EmptyState icon={<Shapes />} title="Nothing has been made yet">
      Choose “Report”, “Website”, “Slides” or “Document” below a question, and what comes of it stands here.
    </EmptyState>
  );
  return (
    <>
      <div className="mb-4 flex flex-wrap gap-3">
        <FilterChoice
          label="Kind"
          value={search.kind ?? ''}
          options={[{ value: '', text: 'Any kind' }, ...KINDS.map((value) => ({ value, text: kindOf(value).text }))]}
          onChange={(kind) => narrow({ kind })}
        />
        <FilterChoice
          label="Status"
          value={search.status ?? ''}
          options={[
            { value: '', text: 'Any status' },
            ...STATUSES.map((value) => ({ value, text: STATUS_NAMES[value] })),
          ]}
          onChange={(status) => narrow({ status })}
        />
        <FilterChoice
          label="Place"
          value={search.trash ? 'trash' : ''}
          options={[
            { value: '', text: 'Kept' },
            { value: 'trash', text: 'In the trash' },
          ]}
          onChange={(place) => onSearch(readListSearch({ ...search, trash: place === 'trash' }))}
        />
      </div>
      <Loaded query={query} items={itemsOf(query.data)} empty={empty}>
        {(list) => (
          <ul aria-label="Deliverables" className="grid grid-cols-[minmax(0,1fr)] gap-2">
            {list.map((one) => (
              <Row key={one.id} deliverable={one} mayChange={mayChange} />
            ))}
          </ul>
        )}
      </Loaded>
    </>
  );
}

function Row({ deliverable, mayChange }: { deliverable: Deliverable; mayChange: boolean }) {
  const cancel = useCancel();
  const { id, kind, title, status, progress, error, created_at } = deliverable;
  const isMaking = !isOver(deliverable);
  return (
    <li className="relative flex flex-wrap items-center gap-3 rounded-lg border border-line bg-surface px-3.5 py-2.5 hover:border-line-strong">
      <KindMark kind={kind} />
      <div className="min-w-0 flex-1 basis-56">
        <Link
          to="/deliverables/$id"
          params={{ id }}
          className="line-clamp-1 font-medium [overflow-wrap:anywhere] after:absolute after:inset-0"
        >
          {title}
        </Link>
        <p className="flex flex-wrap items-center gap-x-2 text-xs text-ink-3">
          {kindOf(kind).text}
          <span>{isMaking ? phaseOf(deliverable) : factsOf(deliverable)}</span>
          <Time at={created_at} />
        </p>
        {isMaking && (
          <div className="mt-1.5 max-w-80">
            <ProgressBar label={`Progress of ${title}`} value={status === 'pending' ? undefined : progress} />
          </div>
        )}
        {status === 'failed' && error !== null && <p className="mt-1 text-xs text-bad">{error.message}</p>}
      </div>
      <StatusBadge status={status} />
      {mayChange && (
        <div className="relative z-10">
          {isMaking && (
            <Button
              aria-label={`Stop making: ${title}`}
              onClick={() => cancel.mutate(id, { onError: (failure) => toast(messageOf(failure), 'bad') })}
            >
              <Square aria-hidden className="size-3.5 fill-current" /> Stop
            </Button>
          )}
          {deliverable.deleted_at !== null && <RestoreButton deliverable={deliverable} />}
          {(status === 'failed' || status === 'cancelled') && <RetryButton deliverable={deliverable} />}
        </div>
      )}
    </li>
  );
}

function RestoreButton({ deliverable: { id, title } }: { deliverable: Deliverable }) {
  const trash = useTrash();
  return (
    <Button
      busy={trash.isPending}
      aria-label={`Restore: ${title}`}
      onClick={() => trash.mutate({ id, isDeleted: false }, { onError: (failure) => toast(messageOf(failure), 'bad') })}
    >
      {!trash.isPending && <Undo2 aria-hidden className="size-4" />} Restore
    </Button>
  );
}
