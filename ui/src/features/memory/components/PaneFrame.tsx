import { X } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { IconButton } from '@/components/Button';
import { Skeleton } from '@/components/Loaded';
import { Notice } from '@/components/Notice';
import { messageOf } from '@/lib/problem';

interface PaneFrameProps {
  kind: string;
  title: ReactNode;
  actions?: ReactNode;
  /** Left out where nothing is chosen that could be put away. */
  onClose?: (() => void) | undefined;
  children: ReactNode;
}

/** The frame of what stands in the right pane: what it is, what can be done with it, and all of it. */
export function PaneFrame({ kind, title, actions, onClose, children }: PaneFrameProps) {
  const id = useId();
  return (
    <article aria-labelledby={id} className="flex h-full min-h-0 flex-col">
      <header className="border-b border-line px-4 pt-3 pb-3">
        <div className="flex items-center gap-1">
          <p className="flex-1 text-xs font-semibold text-ink-3">{kind}</p>
          {actions}
          {onClose && (
            <IconButton label="Close" onClick={onClose} className="-mr-2">
              <X aria-hidden className="size-4" />
            </IconButton>
          )}
        </div>
        <h2
          id={id}
          className="mt-0.5 font-serif text-lg leading-snug font-semibold text-pretty [overflow-wrap:anywhere]"
        >
          <bdi>{title}</bdi>
        </h2>
      </header>
      <div
        tabIndex={0}
        role="region"
        aria-label={kind}
        className="min-h-0 flex-1 overflow-y-auto px-4 py-4 focus-visible:-outline-offset-2"
      >
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5">{children}</div>
      </div>
    </article>
  );
}

interface PaneStateProps {
  kind: string;
  error: unknown;
  onClose: () => void;
}

/** In the place of something that is being fetched, or that cannot be. */
export function PaneState({ kind, error, onClose }: PaneStateProps) {
  return (
    <PaneFrame kind={kind} title={error === null ? 'One moment' : 'This cannot be shown'} onClose={onClose}>
      {error === null ? <Skeleton rows={4} /> : <Notice tone="bad">{messageOf(error)}</Notice>}
    </PaneFrame>
  );
}

/** A titled part of the pane. */
export function Part({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="min-w-0">
      <h3 id={id} className="mb-1.5 flex items-baseline gap-2 text-xs font-semibold text-ink-3">
        {title}
        {note !== undefined && <span className="font-normal tabular-nums">{note}</span>}
      </h3>
      {children}
    </section>
  );
}

/** Short truths about a thing, name and value side by side. */
export function Truths({ rows }: { rows: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
      {rows.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-ink-3">{name}</dt>
          <dd className="[overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
