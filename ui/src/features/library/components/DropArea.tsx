import { clsx } from 'clsx';
import { FileUp } from 'lucide-react';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { filesOf, holdsFiles } from '@/lib/dropped';
import type { Folder } from '@/lib/wire';
import { upload } from '../uploads';

interface DropAreaProps {
  /** Where dropped files go; null is the top. */
  folder: Folder | null;
  enabled: boolean;
  onDropped?: () => void;
  className?: string;
  children: ReactNode;
}

/** A part of the page that takes files and whole folders dropped anywhere on it. */
export function DropArea({ folder, enabled, onDropped, className, children }: DropAreaProps) {
  // Enter and leave are told for every element that is crossed, so they are counted.
  const depth = useRef(0);
  const [over, setOver] = useState(false);

  function cross(event: DragEvent, step: 1 | -1) {
    if (!enabled || !holdsFiles(event.dataTransfer)) return;
    event.preventDefault();
    depth.current = Math.max(0, depth.current + step);
    setOver(depth.current > 0);
  }

  async function drop(event: DragEvent) {
    if (!enabled || !holdsFiles(event.dataTransfer)) return;
    event.preventDefault();
    depth.current = 0;
    setOver(false);
    upload(await filesOf(event.dataTransfer), folder);
    onDropped?.();
  }

  return (
    // Dropping is a second way: the button beside it does the same from the keyboard.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={clsx('relative', className)}
      onDragEnter={(event) => cross(event, 1)}
      onDragLeave={(event) => cross(event, -1)}
      onDragOver={(event) => enabled && holdsFiles(event.dataTransfer) && event.preventDefault()}
      onDrop={(event) => void drop(event)}
    >
      {children}
      {over && (
        <div
          aria-hidden
          className="pointer-events-none absolute inset-2 z-20 rounded-lg border-2 border-dashed border-accent bg-accent-soft/85"
        >
          <p className="sticky top-[40vh] mx-auto mt-8 flex w-fit max-w-[90%] items-center gap-2.5 rounded-md bg-surface px-4 py-2.5 text-md font-medium text-accent shadow-float">
            <FileUp className="size-5" />
            Drop to add to {folder === null ? 'the library' : `“${folder.name}”`}
          </p>
        </div>
      )}
    </div>
  );
}
