import { useQuery } from '@tanstack/react-query';
import { CircleAlert, LoaderCircle } from 'lucide-react';
import { Button } from '@/components/Button';
import { count } from '@/lib/format';
import type { IndexBuild } from '@/lib/wire';
import { statusQuery } from '../api';
import type { LibrarySearch } from '../filters';

interface AttentionLineProps {
  search: LibrarySearch;
  onSearch: (search: LibrarySearch) => void;
}

/** The step of a build of the index, and its share: vectors are copied first, then joined to an index. */
function tellBuild({ step, done, total }: IndexBuild): string {
  if (step === 'finish') return 'A new search index is taken into use';
  const share = total > 0 ? Math.min(100, Math.floor((100 * done) / total)) : 100;
  return `${step === 'copy' ? 'Preparing' : 'Building'} a new search index: ${share} %`;
}

/** What is still being read and what could not be, anywhere in the library. Nothing when all is well. */
export function AttentionLine({ search, onSearch }: AttentionLineProps) {
  const status = useQuery(statusQuery).data;
  const working = status ? status.pending + status.in_progress : 0;
  const failed = status?.failed ?? 0;
  const { done, total } = status?.encoding ?? { done: 0, total: 0 };
  const build = status?.index_build ?? null;
  const structure = status?.structure ?? { done: 0, total: 0 };
  if (search.only !== undefined) {
    return (
      <div className="mb-3">
        <Button onClick={() => onSearch({})}>Show all files</Button>
      </div>
    );
  }
  const isRead = structure.done === structure.total;
  if (working + failed === 0 && done === total && build === null && isRead) return null;
  return (
    <div className="mb-3 flex min-h-8 flex-wrap items-center gap-x-4 gap-y-1 rounded-md bg-bg px-3 py-1 text-sm text-ink-2">
      {working > 0 && (
        <span className="inline-flex items-center gap-2">
          <LoaderCircle aria-hidden className="size-3.5 animate-spin text-accent" />
          {count(working, 'file')} being read
        </span>
      )}
      {done < total && (
        <span title="All of them are found already. Search by meaning gets better as it goes on.">
          Encoded {done} of {count(total, 'passage')}
        </span>
      )}
      {build && (
        <span title="The index in use goes on answering until the new one takes its place.">{tellBuild(build)}</span>
      )}
      {!isRead && (
        <span title="After an upgrade, tables, headings and dates are read anew. All documents are found meanwhile.">
          Read anew: {structure.done} of {count(structure.total, 'document')}
        </span>
      )}
      {failed > 0 && (
        <button
          type="button"
          onClick={() => onSearch({ only: 'failed' })}
          className="inline-flex items-center gap-2 text-bad hover:underline"
        >
          <CircleAlert aria-hidden className="size-3.5" />
          {count(failed, 'file')} could not be read
        </button>
      )}
    </div>
  );
}
