import { clsx } from 'clsx';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { toast } from '@/lib/announce';
import { filesOf, holdsFiles } from '@/lib/dropped';

interface FileDropProps {
  onFile: (file: File) => void;
  children: ReactNode;
}

/** Takes one file that is dropped on it. */
export function FileDrop({ onFile, children }: FileDropProps) {
  // Enter and leave are told for every element that is crossed, so they are counted.
  const depth = useRef(0);
  const [over, setOver] = useState(false);

  function cross(event: DragEvent, step: 1 | -1) {
    if (!holdsFiles(event.dataTransfer)) return;
    event.preventDefault();
    depth.current = Math.max(0, depth.current + step);
    setOver(depth.current > 0);
  }

  async function drop(event: DragEvent) {
    if (!holdsFiles(event.dataTransfer)) return;
    event.preventDefault();
    depth.current = 0;
    setOver(false);
    const [first, ...others] = await filesOf(event.dataTransfer);
    if (first) onFile(first.file);
    if (others.length > 0) toast('One file is checked at a time; the first was taken.', 'plain');
  }

  return (
    // Dropping is a second way: the button inside does the same from the keyboard.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={clsx('rounded-lg', over && 'outline-2 outline-offset-4 outline-accent outline-dashed')}
      onDragEnter={(event) => cross(event, 1)}
      onDragLeave={(event) => cross(event, -1)}
      onDragOver={(event) => holdsFiles(event.dataTransfer) && event.preventDefault()}
      onDrop={(event) => void drop(event)}
    >
      {children}
    </div>
  );
}
