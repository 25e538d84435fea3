import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ArrowLeft, Columns2, Rows2 } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton } from '@/components/Button';
import { Skeleton } from '@/components/Loaded';
import { Notice } from '@/components/Notice';
import { isSettled } from '@/lib/documents';
import { count } from '@/lib/format';
import { itemsOf } from '@/lib/pages';
import { messageOf } from '@/lib/problem';
import { readStored, writeStored } from '@/lib/storage';
import type { Diff, Document } from '@/lib/wire';
import { diffQuery, versionsQuery } from '../api';
import type { ReadingSearch } from '../place';
import { SideBySide, Unified } from './DiffTable';

interface CompareViewProps {
  document: Document;
  from: number;
  to: number;
  onPlace: (place: ReadingSearch) => void;
}

type Shape = 'unified' | 'side';

/** What changed between two versions, line by line. */
export function CompareView({ document, from, to, onPlace }: CompareViewProps) {
  const query = useQuery(diffQuery(document.id, from, to, isSettled(document)));
  const versions = itemsOf(useInfiniteQuery(versionsQuery(document.id)).data).map(({ version }) => version);
  const [shape, setShape] = useState<Shape>(() => readStored<Shape>('diff-shape', 'unified'));
  const compare = (change: { from?: number; to?: number }) =>
    onPlace({ doc: document.id, view: 'compare', from, to, ...change });

  function choose(next: Shape) {
    setShape(next);
    writeStored('diff-shape', next);
  }

  return (
    <>
      <div
        role="toolbar"
        aria-label="Comparison"
        className="flex min-h-10 flex-wrap items-center gap-2 border-b border-line px-2 text-sm text-ink-2"
      >
        <IconButton label="All versions" onClick={() => onPlace({ doc: document.id, view: 'versions' })}>
          <ArrowLeft aria-hidden className="size-4" />
        </IconButton>
        <VersionChoice
          label="Compare from"
          value={from}
          versions={versions}
          onChange={(version) => compare({ from: version })}
        />
        to
        <VersionChoice
          label="Compare to"
          value={to}
          versions={versions}
          onChange={(version) => compare({ to: version })}
        />
        {query.data && <Counts diff={query.data} />}
        <IconButton
          label={shape === 'side' ? 'One below the other' : 'Side by side'}
          onClick={() => choose(shape === 'side' ? 'unified' : 'side')}
          className="ml-auto"
        >
          {shape === 'side' ? <Rows2 aria-hidden className="size-4" /> : <Columns2 aria-hidden className="size-4" />}
        </IconButton>
      </div>
      <div
        role="region"
        aria-label="Changes"
        tabIndex={0}
        className="min-h-0 flex-1 overflow-auto p-3 focus-visible:-outline-offset-2"
      >
        {query.isPending && <Skeleton rows={5} />}
        {query.error !== null && query.data === undefined && (
          <Notice tone="bad" action={<Button onClick={() => void query.refetch()}>Try again</Button>}>
            {messageOf(query.error)}
          </Notice>
        )}
        {query.data && <Changes diff={query.data} shape={shape} />}
      </div>
    </>
  );
}

interface VersionChoiceProps {
  label: string;
  value: number;
  versions: readonly number[];
  onChange: (version: number) => void;
}

function VersionChoice({ label, value, versions, onChange }: VersionChoiceProps) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => onChange(Number(event.target.value))}
      className="h-7 rounded-sm border border-line bg-surface px-1 text-sm"
    >
      {[...new Set([value, ...versions])]
        .toSorted((a, b) => b - a)
        .map((version) => (
          <option key={version} value={version}>
            Version {version}
          </option>
        ))}
    </select>
  );
}

function Counts({ diff }: { diff: Diff }) {
  const of = (kind: 'added' | 'removed') =>
    diff.hunks.reduce((sum, hunk) => sum + hunk.lines.filter((line) => line.kind === kind).length, 0);
  return (
    <span className="text-xs tabular-nums">
      <span className="text-ok">+{of('added')}</span> <span className="text-bad">−{of('removed')}</span>
      <span className="sr-only">
        {' '}
        {count(of('added'), 'line')} added, {count(of('removed'), 'line')} removed
      </span>
    </span>
  );
}

function Changes({ diff, shape }: { diff: Diff; shape: Shape }) {
  if (diff.identical) return <Notice>The text of both versions is the same.</Notice>;
  return (
    <div className="grid gap-3">
      {diff.truncated && <Notice tone="warn">There are more changes than can be shown here.</Notice>}
      {diff.hunks.map((hunk) =>
        shape === 'side' ? (
          <SideBySide key={`${hunk.before_start} ${hunk.after_start}`} hunk={hunk} />
        ) : (
          <Unified key={`${hunk.before_start} ${hunk.after_start}`} hunk={hunk} />
        ),
      )}
    </div>
  );
}
