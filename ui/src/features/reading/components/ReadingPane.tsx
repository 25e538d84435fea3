import { useQuery } from '@tanstack/react-query';
import { FileX2 } from 'lucide-react';
import { EmptyState } from '@/components/EmptyState';
import { Skeleton } from '@/components/Loaded';
import { documentQuery } from '@/lib/documents';
import { messageOf } from '@/lib/problem';
import type { Document } from '@/lib/wire';
import type { ReadingSearch } from '../place';
import { CompareView } from './CompareView';
import { DocumentCard } from './DocumentCard';
import { DocumentBody } from './DocumentBody';
import { ReadingHead } from './ReadingHead';
import { VersionList } from './VersionList';

interface ReadingPaneProps {
  id: string;
  place: ReadingSearch;
  mayChange: boolean;
  nameOf: (userId: string) => string | undefined;
  onPlace: (place: ReadingSearch) => void;
  onClose: () => void;
}

/** A document at the passage that matters, or its history. */
export function ReadingPane({ id, place, mayChange, nameOf, onPlace, onClose }: ReadingPaneProps) {
  const query = useQuery(documentQuery(id));
  if (query.isPending)
    return (
      <div className="p-5">
        <Skeleton />
      </div>
    );
  if (query.data === undefined) {
    return (
      <div className="p-5">
        <EmptyState
          icon={<FileX2 />}
          title="This document cannot be shown"
          action={
            <button type="button" className="text-sm font-medium text-accent hover:underline" onClick={onClose}>
              Close
            </button>
          }
        >
          {messageOf(query.error)}
        </EmptyState>
      </div>
    );
  }
  const document = query.data;
  return (
    <article aria-label={document.name} className="flex h-full min-h-0 flex-col">
      <ReadingHead document={document} place={place} onPlace={onPlace} onClose={onClose} />
      {(place.version ?? document.version) === document.version && (
        <DocumentCard id={document.id} version={document.version} onPlace={onPlace} />
      )}
      <Body document={document} place={place} mayChange={mayChange} nameOf={nameOf} onPlace={onPlace} />
    </article>
  );
}

type BodyProps = Omit<ReadingPaneProps, 'id' | 'onClose'> & { document: Document };

function Body({ document, place, mayChange, nameOf, onPlace }: BodyProps) {
  if (place.view === 'versions')
    return <VersionList document={document} place={place} mayChange={mayChange} nameOf={nameOf} onPlace={onPlace} />;
  if (place.view === 'compare')
    return (
      <CompareView document={document} from={place.from ?? 1} to={place.to ?? document.version} onPlace={onPlace} />
    );
  return (
    <DocumentBody
      key={`${document.id} ${place.version ?? document.version}`}
      document={document}
      place={place}
      mayChange={mayChange}
    />
  );
}
