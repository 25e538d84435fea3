import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FileCheck2, Trash2 } from 'lucide-react';
import { IconButton } from '@/components/Button';
import { ConfirmDialog } from '@/components/ConfirmDialog';
import { EmptyState } from '@/components/EmptyState';
import { Loaded } from '@/components/Loaded';
import { Badge, Time } from '@/components/Marks';
import { ProgressBar } from '@/components/ProgressBar';
import { announce } from '@/lib/announce';
import { isCheckOver, type TextCheckSummary } from '@/lib/checkWire';
import { itemsOf } from '@/lib/pages';
import { checksQuery, useDeleteCheck } from '../api';
import { countsText, progressText, STATUS_NAMES } from '../words';

/** The checks that were made, the newest first. */
export function CheckList({ mayChange }: { mayChange: boolean }) {
  const query = useInfiniteQuery(checksQuery);
  return (
    <Loaded
      query={query}
      items={itemsOf(query.data)}
      empty={
        <EmptyState icon={<FileCheck2 />} title="Nothing has been checked yet">
          Bring a memo, a draft or a page that someone else wrote. What comes of it stands here.
        </EmptyState>
      }
    >
      {(checks) => (
        <ul aria-label="Earlier checks" className="grid grid-cols-[minmax(0,1fr)] gap-2">
          {checks.map((check) => (
            <Row key={check.id} check={check} mayChange={mayChange} />
          ))}
        </ul>
      )}
    </Loaded>
  );
}

function Row({ check, mayChange }: { check: TextCheckSummary; mayChange: boolean }) {
  const { id, title, status, progress, counts, error, created_at } = check;
  const isOver = isCheckOver(check);
  return (
    <li className="relative flex flex-wrap items-center gap-3 rounded-lg border border-line bg-surface px-3.5 py-2.5 hover:border-line-strong">
      <div className="min-w-0 flex-1 basis-56">
        <Link
          to="/check/$id"
          params={{ id }}
          className="line-clamp-1 font-medium [overflow-wrap:anywhere] after:absolute after:inset-0"
        >
          {title}
        </Link>
        <p className="flex flex-wrap items-center gap-x-2 text-xs text-ink-3">
          <span>{isOver ? countsText(counts) || 'Nothing was checked' : progressText(check)}</span>
          <Time at={created_at} />
        </p>
        {!isOver && (
          <div className="mt-1.5 max-w-80">
            <ProgressBar label={`Progress of ${title}`} value={status === 'pending' ? undefined : progress} />
          </div>
        )}
        {error !== null && <p className="mt-1 text-xs text-bad">{error.message}</p>}
      </div>
      {status !== 'completed' && <Badge tone={status === 'failed' ? 'bad' : 'plain'}>{STATUS_NAMES[status]}</Badge>}
      {mayChange && (
        <div className="relative z-10">
          <DeleteCheck check={check} />
        </div>
      )}
    </li>
  );
}

interface DeleteCheckProps {
  check: Pick<TextCheckSummary, 'id' | 'title'>;
  onDeleted?: () => void;
}

export function DeleteCheck({ check: { id, title }, onDeleted }: DeleteCheckProps) {
  const remove = useDeleteCheck();
  return (
    <ConfirmDialog
      trigger={
        <IconButton label={`Delete the check of ${title}`}>
          <Trash2 aria-hidden className="size-4" />
        </IconButton>
      }
      title={`Delete the check of ${title}?`}
      consequence="Its text and verdicts go with it. Documents of the library stay."
      action="Delete"
      onConfirm={async () => {
        await remove.mutateAsync(id);
        announce('Check deleted');
        onDeleted?.();
      }}
    />
  );
}
