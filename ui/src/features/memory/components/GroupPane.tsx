import { Lock, RefreshCw, Shapes, Trash2, Waypoints } from 'lucide-react';
import { Button } from '@/components/Button';
import { Notice } from '@/components/Notice';
import { Time } from '@/components/Marks';
import { toast } from '@/lib/announce';
import { count } from '@/lib/format';
import type { DeadLetter, MemoryGroup } from '@/lib/memoryWire';
import { messageOf } from '@/lib/problem';
import type { Acts } from '../acts';
import { useFindCommunities, useRetryMessages } from '../api';
import { groupName, isPersonal } from '../words';
import { PaneFrame, Part, Truths } from './PaneFrame';

interface GroupPaneProps {
  group: MemoryGroup;
  acts: Acts;
}

/** A group as a whole: how much is remembered, what waits, what failed and why. */
export function GroupPane({ group, acts }: GroupPaneProps) {
  const { wish } = acts;
  const communities = useFindCommunities();
  const id = group.group_id;
  const excluded = group.type_schema.excluded_types.map((name) => ({ name }));
  return (
    <PaneFrame kind="Group" title={groupName(id)}>
      {isPersonal(id) && (
        <p className="flex items-center gap-2 text-sm text-ink-2">
          <Lock aria-hidden className="size-4 shrink-0 text-ink-3" /> Only you see this group.
        </p>
      )}
      <Truths
        rows={[
          ['Remembered', count(group.episodes, 'episode')],
          ['Waiting', group.queued === 0 ? 'Nothing' : count(group.queued, 'message')],
          ['Words', group.keep_content ? 'Kept as they were said' : 'Not kept; only what was understood'],
          ['Kinds', namesOf(group.type_schema.node_types) ?? 'All that are known'],
          ['Relations', namesOf(group.type_schema.relation_types) ?? 'All that are said'],
          ...(namesOf(excluded) === undefined ? [] : [['Left out', namesOf(excluded)] as const]),
          ...(group.updated_at === null ? [] : [['Changed', <Time key="changed" at={group.updated_at} />] as const]),
        ]}
      />
      {group.dead_letters.length > 0 && (
        <Failures group={id} letters={group.dead_letters} total={group.failed} mayRetry={wish !== undefined} />
      )}
      <p className="text-sm text-pretty text-ink-2">
        Choose a node, a fact or an episode to see it here, with what proves it.
      </p>
      {wish && (
        <div className="flex flex-wrap gap-2">
          <Button
            busy={communities.isPending}
            onClick={() =>
              communities.mutate(id, {
                onSuccess: () => toast('Communities are being found. Their colours come in a moment.'),
                onError: (error) => toast(messageOf(error), 'bad'),
              })
            }
          >
            <Waypoints aria-hidden className="size-4" /> Find communities
          </Button>
          <Button onClick={() => wish({ do: 'types', group })}>
            <Shapes aria-hidden className="size-4" /> Types…
          </Button>
          <Button look="danger" onClick={() => wish({ do: 'forget', target: { kind: 'group', id } })}>
            <Trash2 aria-hidden className="size-4" /> Forget this group…
          </Button>
        </div>
      )}
    </PaneFrame>
  );
}

function namesOf(types: readonly { readonly name: string }[]): string | undefined {
  return types.length === 0 ? undefined : types.map(({ name }) => name).join(', ');
}

interface FailuresProps {
  group: string;
  letters: readonly DeadLetter[];
  total: number;
  mayRetry: boolean;
}

function Failures({ group, letters, total, mayRetry }: FailuresProps) {
  const retry = useRetryMessages();
  return (
    <Part title="Not remembered" note={String(total)}>
      <Notice tone="warn">
        <ul className="grid gap-1.5">
          {letters.map((letter) => (
            <li key={letter.id}>
              {letter.reason}{' '}
              <span className="text-xs text-ink-2">
                (<Time at={letter.failed_at} />)
              </span>
            </li>
          ))}
        </ul>
      </Notice>
      {mayRetry && (
        <Button
          className="mt-2"
          busy={retry.isPending}
          onClick={() =>
            retry.mutate(group, {
              onSuccess: ({ queued }) => toast(`${count(queued, 'message')} ${queued === 1 ? 'waits' : 'wait'} again.`),
              onError: (error) => toast(messageOf(error), 'bad'),
            })
          }
        >
          <RefreshCw aria-hidden className="size-4" /> Try again
        </Button>
      )}
    </Part>
  );
}
