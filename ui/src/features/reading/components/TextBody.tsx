import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { Fragment, useEffect, useRef } from 'react';
import { Button } from '@/components/Button';
import { Loaded, Skeleton } from '@/components/Loaded';
import { hasPagePictures } from '@/lib/fileKind';
import type { Document, Place, ReadingBlock } from '@/lib/wire';
import { blocksQuery, spanQuery } from '../api';
import { overlaps } from '../marks';
import type { Span } from '../place';
import { BlockView } from './BlockView';

interface TextBodyProps {
  document: Document;
  version: number;
  span: Span | null;
}

const HEADROOM = 0.22;
/** On a page, lines end where the paper does: such breaks are not kept. */
const COLUMN = 'mx-auto grid max-w-[72ch] grid-cols-[minmax(0,1fr)] gap-3 text-[15px] leading-relaxed [overflow-wrap:anywhere]';

/** The text of a document, block by block, opened at the marked passage. */
export function TextBody({ document, version, span }: TextBodyProps) {
  const place = useQuery(spanQuery(document.id, version, span));
  if (span !== null && place.isPending) return <div className="p-5"><Skeleton rows={5} /></div>;
  return <Blocks document={document} version={version} span={span} around={place.data?.block ?? 0} />;
}

function Blocks({ document, version, span, around }: TextBodyProps & { around: number }) {
  const scroller = useRef<HTMLDivElement>(null);
  const query = useInfiniteQuery(blocksQuery(document.id, version, around));
  const blocks = query.data?.pages.flatMap((page) => page.blocks) ?? [];
  const { isSuccess } = query;

  useEffect(() => {
    if (isSuccess && span !== null) showPassage(scroller.current, span);
  }, [isSuccess, span]);

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div ref={scroller} role="region" aria-label="Text" tabIndex={0} className="relative min-h-0 flex-1 overflow-auto px-5 py-4 focus-visible:-outline-offset-2">
      {query.hasPreviousPage && (
        <div className="mb-3 flex justify-center">
          <Button busy={query.isFetchingPreviousPage} onClick={() => void query.fetchPreviousPage()}>
            Show what comes before
          </Button>
        </div>
      )}
      <Loaded query={query} items={blocks} empty={<p className="text-sm text-ink-2">There is no text in this file.</p>}>
        {(list) => (
          <div className={clsx(COLUMN, hasPagePictures(document.mime_type) && '[&_p]:whitespace-normal')}>
            {list.map((block, position) => (
              <Fragment key={block.start}>
                <PlaceLine place={block.place} before={list[position - 1]?.place} />
                <div className="reading-block">
                  <BlockView block={block} span={touching(block, span)} />
                </div>
              </Fragment>
            ))}
          </div>
        )}
      </Loaded>
    </div>
  );
}

function touching(block: ReadingBlock, span: Span | null): Span | null {
  return overlaps(block, span) ? span : null;
}

/** Says where a new page, slide or part begins. */
function PlaceLine({ place, before }: { place: Place; before: Place | undefined }) {
  const [now, then] = [nameOf(place), before && nameOf(before)];
  if (now === '' || now === then) return null;
  return <p className="mt-3 flex items-center gap-3 text-xs font-medium text-ink-3 before:h-px before:w-4 before:bg-line after:h-px after:flex-1 after:bg-line">{now}</p>;
}

/** A sheet begins with its name as a heading and needs no other. */
function nameOf({ page, slide, part }: Place): string {
  const names = [page !== null && `Page ${page}`, slide !== null && `Slide ${slide}`, part];
  return names.filter(Boolean).join(' · ');
}

/** Scrolls the container itself: scrollIntoView would move the whole shell. */
function showPassage(scroller: HTMLElement | null, { start, end }: Span): void {
  const mark = scroller?.querySelector<HTMLElement>(`[data-passage="${start}-${end}"]`);
  if (!scroller || !mark) return;
  const away = mark.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
  scroller.scrollTo({ top: scroller.scrollTop + away - scroller.clientHeight * HEADROOM });
}
