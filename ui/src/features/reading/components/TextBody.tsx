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
import { keepInView } from '../showing';
import { BlockView } from './BlockView';

interface TextBodyProps {
  document: Document;
  version: number;
  span: Span | null;
}

/** On a page, lines end where the paper does: such breaks are not kept. */
const COLUMN =
  'mx-auto grid max-w-[72ch] grid-cols-[minmax(0,1fr)] gap-3 text-[15px] leading-relaxed [overflow-wrap:anywhere]';

/** The text of a document, block by block, opened at the marked passage. */
export function TextBody({ document, version, span }: TextBodyProps) {
  const place = useQuery(spanQuery(document.id, version, span));
  if (span !== null && place.isPending)
    return (
      <div className="p-5">
        <Skeleton rows={5} />
      </div>
    );
  return <Blocks document={document} version={version} span={span} around={place.data?.block ?? 0} />;
}

function Blocks({ document, version, span, around }: TextBodyProps & { around: number }) {
  const scroller = useRef<HTMLDivElement>(null);
  const query = useInfiniteQuery(blocksQuery(document.id, version, around));
  const blocks = query.data?.pages.flatMap((page) => page.blocks) ?? [];
  const { isSuccess } = query;

  useEffect(() => {
    return isSuccess && span !== null && scroller.current ? keepInView(scroller.current, span) : undefined;
  }, [isSuccess, span]);

  return (
    <div
      ref={scroller}
      role="region"
      aria-label="Text"
      tabIndex={0}
      className="relative min-h-0 flex-1 overflow-auto px-5 py-4 focus-visible:-outline-offset-2"
    >
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
                <PlacedBlock block={block} span={touching(block, span)} />
              </Fragment>
            ))}
          </div>
        )}
      </Loaded>
    </div>
  );
}

/** A block with the passage has its full height at once: one that is not measured yet could not be scrolled into. */
function PlacedBlock({ block, span }: { block: ReadingBlock; span: Span | null }) {
  return (
    <div className={span === null ? 'reading-block' : undefined}>
      <BlockView block={block} span={span} />
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
  return (
    <p className="mt-3 flex items-center gap-3 text-xs font-medium text-ink-3 before:h-px before:w-4 before:bg-line after:h-px after:flex-1 after:bg-line">
      {now}
    </p>
  );
}

/** A sheet begins with its name as a heading and needs no other. */
function nameOf({ page, slide, part }: Place): string {
  const names = [page !== null && `Page ${page}`, slide !== null && `Slide ${slide}`, part];
  return names.filter(Boolean).join(' · ');
}
