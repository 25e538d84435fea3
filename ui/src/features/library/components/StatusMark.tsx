import { CircleAlert, CircleCheck, LoaderCircle, TriangleAlert } from 'lucide-react';
import { ProgressBar } from '@/components/ProgressBar';
import type { Document } from '@/lib/wire';
import { standingOf } from '../status';

type StatusMarkProps = Pick<Document, 'indexing_status' | 'indexing_error' | 'progress' | 'warnings' | 'name'>;

/** How far a document is on its way to being findable. */
export function StatusMark({ name, ...document }: StatusMarkProps) {
  const standing = standingOf(document);
  if (standing.tone === 'ready') {
    return (
      <span className="inline-flex items-center gap-1.5 text-ink-2">
        <CircleCheck aria-hidden className="size-3.5 text-ok" />
        {standing.text}
        {standing.warning !== undefined && (
          <span role="img" aria-label={standing.warning} title={standing.warning}>
            <TriangleAlert aria-hidden className="size-3.5 text-warn" />
          </span>
        )}
      </span>
    );
  }
  if (standing.tone === 'failed') {
    return (
      <span className="inline-flex items-center gap-1.5 font-medium text-bad" title={standing.reason}>
        <CircleAlert aria-hidden className="size-3.5" />
        {standing.text}
      </span>
    );
  }
  return (
    <span className="grid gap-1">
      <span className="inline-flex items-center gap-1.5 text-ink-2 tabular-nums">
        <LoaderCircle aria-hidden className="size-3.5 animate-spin text-accent" />
        {standing.text}
      </span>
      {standing.share !== undefined && <ProgressBar label={`Progress of ${name}`} value={standing.share} />}
    </span>
  );
}
