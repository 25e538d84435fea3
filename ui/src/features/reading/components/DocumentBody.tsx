import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Button } from '@/components/Button';
import { Skeleton } from '@/components/Loaded';
import { Notice } from '@/components/Notice';
import { isSettled } from '@/lib/documents';
import { hasPagePictures } from '@/lib/fileKind';
import { messageOf } from '@/lib/problem';
import type { Document } from '@/lib/wire';
import { outlineQuery, useRetry } from '../api';
import { type ReadingSearch, spanOf } from '../place';
import { PageStack } from './PageStack';
import { TextBody } from './TextBody';

interface DocumentBodyProps {
  document: Document;
  place: ReadingSearch;
  mayChange: boolean;
}

/** The document itself: as pages where it has them, else as text. */
export function DocumentBody({ document, place, mayChange }: DocumentBodyProps) {
  const version = place.version ?? document.version;
  const isCurrent = version === document.version;
  const isFinal = !isCurrent || isSettled(document);
  const isUnread = isCurrent && ['pending', 'failed'].includes(document.indexing_status);
  const { start, end } = place;
  const span = useMemo(() => spanOf({ start, end }), [start, end]);
  const query = useQuery({ ...outlineQuery(document.id, version, isFinal), enabled: !isUnread });
  if (isUnread || (!isFinal && query.error !== null && query.data === undefined))
    return <Unread document={document} mayChange={mayChange} />;
  if (query.isPending)
    return (
      <div className="p-5">
        <Skeleton rows={5} />
      </div>
    );
  if (query.data === undefined) {
    return (
      <div className="p-5">
        <Notice tone="bad" action={<Button onClick={() => void query.refetch()}>Try again</Button>}>
          {messageOf(query.error)}
        </Notice>
      </div>
    );
  }
  const { pages, warnings, media_type } = query.data;
  const isPaged = place.view !== 'text' && pages.length > 0 && hasPagePictures(media_type);
  return (
    <>
      {warnings.length > 0 && (
        <div className="border-b border-line p-2">
          <Notice tone="warn">{warnings.join(' ')}</Notice>
        </div>
      )}
      {isPaged ? (
        <PageStack document={document} version={version} pages={pages} span={span} page={place.page} />
      ) : (
        <TextBody document={document} version={version} span={span} />
      )}
    </>
  );
}

/** A file that cannot be shown yet, or not at all. */
function Unread({ document, mayChange }: { document: Document; mayChange: boolean }) {
  const retry = useRetry();
  if (document.indexing_status !== 'failed') {
    return (
      <div className="p-5">
        <Notice title="This file is being read.">It opens here as soon as it has been.</Notice>
      </div>
    );
  }
  return (
    <div className="p-5">
      <Notice
        tone="bad"
        title="This file could not be read."
        {...(mayChange && {
          action: (
            <Button busy={retry.isPending} onClick={() => retry.mutate(document.id)}>
              Try again
            </Button>
          ),
        })}
      >
        {document.indexing_error?.reason}
      </Notice>
    </div>
  );
}
