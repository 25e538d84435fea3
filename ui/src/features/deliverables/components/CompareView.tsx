import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { useState } from 'react';
import { Button } from '@/components/Button';
import { Skeleton } from '@/components/Loaded';
import { Notice } from '@/components/Notice';
import type { Comparison } from '@/lib/deliverableWire';
import { count } from '@/lib/format';
import { messageOf } from '@/lib/problem';
import { comparisonQuery } from '../api';
import { type Piece, piecesOf } from '../wordDiff';

type Compared = Comparison['blocks'][number];

/** What one version says and the other does not, block by block, down to the words. */
export function CompareView({ id, than }: { id: string; than: string }) {
  const query = useQuery(comparisonQuery(id, than));
  const [isWhole, setWhole] = useState(false);
  if (query.isPending) return <Skeleton rows={5} />;
  if (query.data === undefined)
    return (
      <Notice tone="bad" action={<Button onClick={() => void query.refetch()}>Try again</Button>}>
        {messageOf(query.error)}
      </Notice>
    );
  const { added, removed, changed, blocks } = query.data;
  if (added + removed + changed === 0) return <Notice>Both versions say the same.</Notice>;
  const shown = isWhole ? blocks : blocks.filter(({ change }) => change !== 'same');
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm text-ink-2">
        <p>
          <span className="text-ok">{count(added, 'block')} added</span>,{' '}
          <span className="text-bad">{removed} removed</span>, {changed} changed
        </p>
        <Button aria-pressed={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Changes alone' : 'With what stayed'}
        </Button>
      </div>
      <ol aria-label="Changes" className="grid grid-cols-[minmax(0,1fr)] gap-2">
        {shown.map((block, position) => (
          <li
            key={position}
            className={clsx(
              'rounded-md border-l-3 px-3.5 py-2 text-[15px] leading-relaxed whitespace-pre-wrap [overflow-wrap:anywhere]',
              LOOKS[block.change],
            )}
          >
            <span className="sr-only">{WORDS[block.change]}</span>
            <BlockDiff block={block} />
          </li>
        ))}
      </ol>
    </div>
  );
}

const LOOKS = {
  same: 'border-line text-ink-3',
  added: 'border-ok bg-ok-soft',
  removed: 'border-bad bg-bad-soft',
  changed: 'border-accent bg-sunken',
} as const;
const WORDS = { same: '', added: 'Added: ', removed: 'Removed: ', changed: 'Changed: ' } as const;

function BlockDiff({ block: { change, before, after } }: { block: Compared }) {
  if (change !== 'changed') return after ?? before;
  return piecesOf(before ?? '', after ?? '').map((piece, position) => <PieceView key={position} piece={piece} />);
}

function PieceView({ piece: { kind, text } }: { piece: Piece }) {
  if (kind === 'added') return <ins className="rounded-sm bg-ok-soft text-ok no-underline">{text}</ins>;
  return kind === 'removed' ? <del className="rounded-sm bg-bad-soft text-bad">{text}</del> : text;
}
