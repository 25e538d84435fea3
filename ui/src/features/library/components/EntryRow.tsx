import { clsx } from 'clsx';
import { Folder as FolderIcon } from 'lucide-react';
import type { MouseEvent } from 'react';
import { FileMark } from '@/components/FileMark';
import { Time } from '@/components/Marks';
import { thumbnailPath } from '@/lib/documents';
import { count, fileSize } from '@/lib/format';
import { dropOn, startDrag } from '../drag';
import { type Entry, nameOf, thingOf } from '../entries';
import { standingOf } from '../status';
import { Failure } from './Failure';
import { type MenuActs, RowMenu } from './RowMenu';
import { StatusMark } from './StatusMark';

/** What a row may ask of the page. */
export interface RowActs extends MenuActs {
  readonly open: (entry: Entry) => void;
  readonly choose: (entry: Entry, event: MouseEvent<HTMLInputElement>) => void;
  readonly drag: (entry: Entry) => void;
  readonly dropInto: (folderId: string) => void;
}

interface EntryRowProps {
  entry: Entry;
  acts: RowActs;
  isChosen: boolean;
  isOpen: boolean;
  mayChange: boolean;
  /** Shown where rows of different folders stand together. */
  withPath: boolean;
}

const MAIN =
  'flex min-h-8 w-full min-w-0 items-center gap-2.5 text-left after:absolute after:inset-0 focus-visible:outline-none ' +
  'focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent';

export function EntryRow({ entry, acts, isChosen, isOpen, mayChange, withPath }: EntryRowProps) {
  const { id, updated_at, path } = thingOf(entry);
  const name = nameOf(entry);
  const into = entry.type === 'folder' && mayChange ? dropOn(() => acts.dropInto(id)) : {};
  const detail = entry.type === 'folder' ? count(entry.files, 'file') : fileSize(entry.document.file_size);
  const reason = entry.type === 'document' ? standingOf(entry.document).reason : undefined;
  const look = isOpen || isChosen ? 'bg-accent-soft' : 'hover:bg-bg';
  return (
    <>
      <tr
        {...into}
        draggable={mayChange}
        onDragStart={(event) => {
          acts.drag(entry);
          startDrag(event, name);
        }}
        className={clsx('relative border-t border-line first:border-t-0', look, into.className)}
      >
        <td className="pl-2.5">
          {mayChange && (
            <label className="relative z-10 grid size-8 cursor-pointer place-items-center">
              <input
                type="checkbox"
                aria-label={`Select ${name}`}
                checked={isChosen}
                onClick={(event) => acts.choose(entry, event)}
                readOnly
                className="size-4 accent-accent"
              />
            </label>
          )}
        </td>
        <td className="min-w-0 py-1.5 pr-3 pl-1">
          <button
            type="button"
            data-row
            onClick={() => acts.open(entry)}
            aria-current={isOpen || undefined}
            className={MAIN}
          >
            {entry.type === 'folder' ? (
              <span className="grid h-7 w-6 shrink-0 place-items-center">
                <FolderIcon role="img" aria-label="Folder" className="size-4.5 text-ink-2" />
              </span>
            ) : (
              <FileMark
                mimeType={entry.document.mime_type}
                picture={entry.document.has_thumbnail ? thumbnailPath(entry.document.id, entry.document.sha256) : null}
              />
            )}
            <span className="min-w-0 flex-1">
              <bdi className="block truncate font-medium" title={name}>
                {name}
              </bdi>
              {withPath && (
                <span className="block truncate text-xs text-ink-3">{path.slice(0, -name.length - 1) || '/'}</span>
              )}
              <span className="flex items-center gap-2 text-xs text-ink-3 @lg:hidden">
                {entry.type === 'document' && (
                  <span className="@md:hidden">
                    <StatusMark {...entry.document} />
                  </span>
                )}
                {detail}
              </span>
            </span>
          </button>
        </td>
        <td className="align-middle text-xs">
          <span className="block pr-3 @max-md:hidden">
            {entry.type === 'document' && <StatusMark {...entry.document} />}
          </span>
        </td>
        <td className="text-right text-ink-2 tabular-nums">
          <span className="pr-3 @max-lg:hidden">{detail}</span>
        </td>
        <td className="text-right text-ink-2">
          <span className="pr-2 @max-xl:hidden">
            <Time at={updated_at} />
          </span>
        </td>
        <td>
          <RowMenu entry={entry} acts={acts} mayChange={mayChange} />
        </td>
      </tr>
      {entry.type === 'document' && reason !== undefined && (
        <tr className={look}>
          <td colSpan={6} className="pr-3 pb-2 pl-10">
            <Failure document={entry.document} reason={reason} mayRetry={mayChange} />
          </td>
        </tr>
      )}
    </>
  );
}
