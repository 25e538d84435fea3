import { Download, FileText, History, PanelTop, X } from 'lucide-react';
import { IconButton } from '@/components/Button';
import { Badge } from '@/components/Marks';
import { toast } from '@/lib/announce';
import { download } from '@/lib/download';
import { hasPagePictures, KIND_NAMES, kindOf } from '@/lib/fileKind';
import { count, fileSize } from '@/lib/format';
import { messageOf } from '@/lib/problem';
import type { Document } from '@/lib/wire';
import { contentPath } from '../api';
import { factsLine, factsOrigin } from '../facts';
import type { ReadingSearch, View } from '../place';

interface ReadingHeadProps {
  document: Document;
  place: ReadingSearch;
  onPlace: (place: ReadingSearch) => void;
  onClose: () => void;
}

/** What is open, in which version, and what else can be seen of it. */
export function ReadingHead({ document, place, onPlace, onClose }: ReadingHeadProps) {
  const version = place.version ?? document.version;
  const isHistory = place.view === 'versions' || place.view === 'compare';
  const facts = [
    KIND_NAMES[kindOf(document.mime_type)],
    document.page_count !== null && count(document.page_count, 'page'),
    fileSize(document.file_size),
  ];
  const told = factsLine(document.facts);
  const show = (view: View | undefined) => {
    const { view: _v, from: _f, to: _t, ...others } = place;
    onPlace(view === undefined ? others : { ...others, view });
  };
  return (
    <header className="flex items-start gap-1 border-b border-line py-2.5 pr-2 pl-4">
      <div className="min-w-0 flex-1 py-0.5">
        <h2 className="font-serif text-md leading-snug font-semibold">
          <bdi className="line-clamp-2 [overflow-wrap:anywhere]" title={document.path}>
            {document.name}
          </bdi>
        </h2>
        <p className="flex flex-wrap items-center gap-x-2 text-xs text-ink-3">
          {facts.filter(Boolean).join(' · ')}
          {version === document.version ? (
            <span>Version {version}</span>
          ) : (
            <Badge tone="warn">
              Version {version} of {document.version}
            </Badge>
          )}
        </p>
        {told !== '' && (
          <p className="line-clamp-2 text-xs text-ink-2" title={factsOrigin(document.facts)}>
            <bdi>{told}</bdi>
          </p>
        )}
      </div>
      {!isHistory && hasPagePictures(document.mime_type) && (
        <IconButton
          label={place.view === 'text' ? 'Show the pages' : 'Show the text'}
          aria-pressed={place.view === 'text'}
          onClick={() => show(place.view === 'text' ? undefined : 'text')}
        >
          {place.view === 'text' ? (
            <PanelTop aria-hidden className="size-4" />
          ) : (
            <FileText aria-hidden className="size-4" />
          )}
        </IconButton>
      )}
      <IconButton
        label="Download"
        onClick={() =>
          void download(contentPath(document.id, version), document.name).catch((error: unknown) =>
            toast(messageOf(error), 'bad'),
          )
        }
      >
        <Download aria-hidden className="size-4" />
      </IconButton>
      <IconButton
        label="Versions"
        aria-pressed={isHistory}
        onClick={() => show(isHistory ? undefined : 'versions')}
        className={isHistory ? 'bg-accent-soft text-accent' : ''}
      >
        <History aria-hidden className="size-4" />
      </IconButton>
      <IconButton label="Close document" onClick={onClose}>
        <X aria-hidden className="size-4" />
      </IconButton>
    </header>
  );
}
