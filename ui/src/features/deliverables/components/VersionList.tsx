import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { GitCompareArrows, History, Undo2 } from 'lucide-react';
import { Button, buttonClass } from '@/components/Button';
import { EmptyState } from '@/components/EmptyState';
import { Loaded } from '@/components/Loaded';
import { Badge, Time } from '@/components/Marks';
import { toast } from '@/lib/announce';
import type { Deliverable } from '@/lib/deliverableWire';
import { messageOf } from '@/lib/problem';
import { useRevise, versionsQuery } from '../api';
import { changeOf, factsOf } from '../kinds';

/** Every version that was made, the newest first. None is ever lost. */
export function VersionList({ id, mayChange }: { id: string; mayChange: boolean }) {
  const query = useQuery(versionsQuery(id));
  return (
    <Loaded query={query} items={query.data ?? []} empty={<EmptyState icon={<History />} title="No other version" />}>
      {(list) => (
        <ol aria-label="Versions" className="grid grid-cols-[minmax(0,1fr)] gap-2">
          {list.map((one, position) => (
            <Version
              key={one.id}
              version={one}
              before={list[position + 1]}
              isShown={one.id === id}
              mayTakeBack={mayChange && position > 0}
            />
          ))}
        </ol>
      )}
    </Loaded>
  );
}

function Version({
  version,
  before,
  isShown,
  mayTakeBack,
}: {
  version: Deliverable;
  before: Deliverable | undefined;
  isShown: boolean;
  mayTakeBack: boolean;
}) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-line bg-surface px-3.5 py-2.5">
      <div className="min-w-0 flex-1 basis-56 text-sm">
        <p className="flex flex-wrap items-center gap-x-2 font-medium">
          <span className="line-clamp-1 [overflow-wrap:anywhere]">{version.title}</span>
          {isShown && <Badge tone="accent">Shown</Badge>}
        </p>
        <p className="text-xs text-ink-3">
          {[factsOf(version), changeOf(version)].filter(Boolean).join(' · ')} ·{' '}
          <Time at={version.finished_at ?? version.created_at} />
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        {!isShown && (
          <Link to="/deliverables/$id" params={{ id: version.id }} className={buttonClass()}>
            Open
          </Link>
        )}
        {before && (
          <Link
            to="/deliverables/$id"
            params={{ id: version.id }}
            search={{ than: before.id }}
            className={buttonClass()}
          >
            <GitCompareArrows aria-hidden className="size-4" /> Compare with version {before.version}
          </Link>
        )}
        {mayTakeBack && <TakeBackButton version={version} />}
      </div>
    </li>
  );
}

/** Makes an earlier version the newest again; what came after it stays in the list. */
function TakeBackButton({ version: { id, version } }: { version: Deliverable }) {
  const navigate = useNavigate();
  const revise = useRevise(id);
  return (
    <Button
      busy={revise.isPending}
      aria-label={`Take back to version ${version}`}
      onClick={() =>
        revise.mutate(
          {},
          {
            onSuccess: (made) => void navigate({ to: '/deliverables/$id', params: { id: made.id } }),
            onError: (error) => toast(messageOf(error), 'bad'),
          },
        )
      }
    >
      {!revise.isPending && <Undo2 aria-hidden className="size-4" />} Take back to this
    </Button>
  );
}
