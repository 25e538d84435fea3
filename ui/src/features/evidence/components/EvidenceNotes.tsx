import { useQuery } from '@tanstack/react-query';
import { Skeleton } from '@/components/Loaded';
import { count } from '@/lib/format';
import { messageOf } from '@/lib/problem';
import { evidenceQuery } from '../api';

/** What was looked for, and what was found of it and used. The numbers add up. */
export function EvidenceNotes({ messageId }: { messageId: string }) {
  const query = useQuery(evidenceQuery(messageId));
  if (query.isPending) return <Skeleton rows={1} />;
  if (query.data === undefined) return <p className="text-sm text-ink-2">{messageOf(query.error)}</p>;
  const { found, cited, read_not_used, screened_out, queries } = query.data;
  return (
    <section aria-label="Evidence" className="grid gap-2 text-sm text-ink-2">
      <h3 className="text-xs font-semibold text-ink-3">Evidence</h3>
      <p>
        {count(found, 'passage')} found: {cited} cited, {read_not_used} read and not used, {screened_out} screened out.
      </p>
      <ul aria-label="Searches" className="grid gap-0.5">
        {queries.map(({ query: text, found: hits }) => (
          <li key={text} className="flex gap-3">
            <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">“{text}”</span>
            <span className="shrink-0 text-xs text-ink-3 tabular-nums">{count(hits, 'passage')}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
