import { clsx } from 'clsx';
import { useMemo } from 'react';
import { FileMark } from '@/components/FileMark';
import { Badge } from '@/components/Marks';
import { thumbnailPath } from '@/lib/documents';
import type { Excerpt, SearchSource } from '@/lib/wire';
import { pageAt, snippetOf } from '../excerpt';
import { Relevance } from './Relevance';

/** A passage that was chosen, in characters of the text of one version of its document. */
export interface Passage {
  readonly document: string;
  readonly version: number;
  readonly start: number;
  readonly end: number;
  readonly page: number | null;
}

/** The passage in the reading pane, if any. */
export interface Opened {
  readonly document: string | undefined;
  readonly start: number | undefined;
}

interface SourceCardProps {
  source: SearchSource;
  query: string;
  opened: Opened;
  onOpen: (passage: Passage) => void;
}

/** A document that was found, with its best passages. */
export function SourceCard({ source, query, opened, onOpen }: SourceCardProps) {
  const [best] = source.excerpts;
  return (
    <li className="flex gap-4 border-t border-line py-5 first:border-t-0 first:pt-0">
      <span className="@max-xl:hidden">
        <FileMark large mimeType={source.mime_type} picture={thumbnailPath(source.file_id, source.sha256)} />
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-baseline gap-x-3">
          <h2 className="min-w-0 text-md font-semibold">
            {/* The keyboard meets the passage itself, which opens the same. */}
            <button
              type="button"
              tabIndex={-1}
              onClick={() => best !== undefined && onOpen(passageOf(source, best, query))}
              className="text-left hover:underline"
            >
              <bdi className="[overflow-wrap:anywhere]">{source.file_name}</bdi>
            </button>
          </h2>
          <Relevance score={source.relevance_score} />
          {isEarlier(source) && (
            <span title="The latest version is still being read, or cannot be.">
              <Badge tone="warn">
                Version {source.version} of {source.latest_version}
              </Badge>
            </span>
          )}
        </div>
        <p className="truncate text-xs text-ink-3" title={source.path}>
          {source.path}
        </p>
        <ul className="mt-2 -ml-3 grid grid-cols-[minmax(0,1fr)] gap-0.5">
          {source.excerpts.map((excerpt) => (
            <ExcerptRow
              key={excerpt.chunk_index}
              excerpt={excerpt}
              source={source}
              query={query}
              opened={opened}
              onOpen={onOpen}
            />
          ))}
        </ul>
      </div>
    </li>
  );
}

function isEarlier(source: SearchSource): boolean {
  return source.version < source.latest_version;
}

/** The sentences of an excerpt that hold the words of the query. */
function passageOf(source: SearchSource, excerpt: Excerpt, query: string): Passage {
  const { marked } = snippetOf(excerpt.content, query);
  return {
    document: source.file_id,
    version: source.version,
    start: excerpt.char_start + marked.start,
    end: excerpt.char_start + marked.end,
    page: pageAt(excerpt.content, excerpt.page, marked.start),
  };
}

/** The mark between two pages is none to be seen. */
function shownText(text: string): string {
  return text.replaceAll('\f', ' ');
}

type ExcerptRowProps = SourceCardProps & { excerpt: Excerpt };

function ExcerptRow({ excerpt, source, query, opened, onOpen }: ExcerptRowProps) {
  const snippet = useMemo(() => snippetOf(excerpt.content, query), [excerpt.content, query]);
  const passage = useMemo(() => passageOf(source, excerpt, query), [source, excerpt, query]);
  const place = [passage.page !== null && `Page ${passage.page}`, excerpt.section].filter(Boolean).join(' · ');
  const isOpen = opened.document === source.file_id && opened.start === passage.start;
  return (
    <li>
      <button
        type="button"
        data-row
        aria-current={isOpen || undefined}
        onClick={() => onOpen(passage)}
        className={clsx(
          'block w-full rounded-md px-3 py-1.5 text-left focus-visible:-outline-offset-2',
          isOpen ? 'bg-accent-soft' : 'hover:bg-bg',
        )}
      >
        <span className="line-clamp-3 text-sm leading-relaxed text-pretty text-ink-2 [overflow-wrap:anywhere]">
          {snippet.isCutBefore && '… '}
          {snippet.segments.map((segment, position) =>
            segment.isHit ? (
              <strong key={position} className="font-semibold text-ink">
                {shownText(segment.text)}
              </strong>
            ) : (
              <span key={position}>{shownText(segment.text)}</span>
            ),
          )}
          {snippet.isCutAfter && ' …'}
        </span>
        {place !== '' && <span className="mt-0.5 block truncate text-xs text-ink-3">{place}</span>}
      </button>
    </li>
  );
}
