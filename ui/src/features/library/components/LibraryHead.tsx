import { ChevronRight } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { useTitle } from '@/lib/useTitle';
import type { Folder } from '@/lib/wire';
import { dropOn } from '../drag';
import { TOP, TOP_NAME } from '../folders';

interface LibraryHeadProps {
  title: string;
  /** The folders above the one on show, from the top. */
  way: readonly Folder[];
  isTop: boolean;
  onOpen: (id: string) => void;
  onDropOn: (id: string) => void;
  children: ReactNode;
}

const STEP = 'max-w-48 truncate rounded-sm px-1 hover:bg-hover hover:text-ink data-over:bg-accent-soft';

/** Where this is, the way back up, and what can be done here. */
export function LibraryHead({ title, way, isTop, onOpen, onDropOn, children }: LibraryHeadProps) {
  useTitle(title);
  return (
    <header className="mb-5 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div className="min-w-0 flex-1 basis-52">
        {!isTop && (
          <nav aria-label="Folders above" className="-ml-1 flex flex-wrap items-center gap-0.5 text-sm text-ink-3">
            {[{ id: TOP, name: TOP_NAME }, ...way].map(({ id, name }, position) => (
              <Fragment key={id}>
                {position > 0 && <ChevronRight aria-hidden className="size-3.5" />}
                <button type="button" {...dropOn(() => onDropOn(id))} className={STEP} onClick={() => onOpen(id)}>
                  {name}
                </button>
              </Fragment>
            ))}
          </nav>
        )}
        <h1 className="font-serif text-2xl leading-tight font-semibold [overflow-wrap:anywhere]">{title}</h1>
      </div>
      <div className="flex min-w-0 flex-wrap items-center gap-2">{children}</div>
    </header>
  );
}
