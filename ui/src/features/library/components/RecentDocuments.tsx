import { useInfiniteQuery } from '@tanstack/react-query';
import { FileMark } from '@/components/FileMark';
import { Loaded } from '@/components/Loaded';
import { Time } from '@/components/Marks';
import { thumbnailPath } from '@/lib/documents';
import { itemsOf } from '@/lib/pages';
import type { Document } from '@/lib/wire';
import { recentQuery } from '../api';
import { useLiveLibrary } from '../live';
import { StatusMark } from './StatusMark';

const SHOWN = 5;

/** The documents that changed last. */
export function RecentDocuments({ onOpen }: { onOpen: (document: Document) => void }) {
  useLiveLibrary();
  const query = useInfiniteQuery(recentQuery);
  return (
    <Loaded
      query={{ ...query, hasNextPage: false }}
      items={itemsOf(query.data).slice(0, SHOWN)}
      empty={<p className="text-sm text-ink-2">No documents yet.</p>}
    >
      {(documents) => (
        <ul className="divide-y divide-line rounded-lg border border-line">
          {documents.map((document) => (
            <li key={document.id} className="relative flex items-center gap-3 px-3.5 py-2 hover:bg-bg">
              <FileMark
                mimeType={document.mime_type}
                picture={document.has_thumbnail ? thumbnailPath(document.id, document.sha256) : null}
              />
              <button
                type="button"
                onClick={() => onOpen(document)}
                className="min-w-0 flex-1 text-left after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
              >
                <bdi className="block truncate text-sm font-medium">{document.name}</bdi>
                <span className="block text-xs text-ink-3">
                  <Time at={document.updated_at} />
                </span>
              </button>
              <span className="text-xs">
                <StatusMark {...document} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  );
}
