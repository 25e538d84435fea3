/** Dragging our own rows onto a folder. What is dragged stays here: other windows must not see it. */
import type { DragEvent, HTMLAttributes } from 'react';

const TYPE = 'application/x-intelli-rows';

export function startDrag(event: DragEvent, text: string): void {
  event.dataTransfer.setData(TYPE, '1');
  event.dataTransfer.setData('text/plain', text);
  event.dataTransfer.effectAllowed = 'move';
}

function mark(event: DragEvent<HTMLElement>, on: boolean): void {
  event.currentTarget.toggleAttribute('data-over', on);
}

function isOurs(event: DragEvent): boolean {
  return event.dataTransfer.types.includes(TYPE);
}

/** What makes an element take our rows. It shows so through `data-over`. */
export function dropOn(take: () => void): HTMLAttributes<HTMLElement> {
  return {
    className: 'data-over:bg-accent-soft data-over:ring-2 data-over:ring-accent data-over:ring-inset',
    onDragOver: (event) => {
      if (!isOurs(event)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'move';
      mark(event, true);
    },
    onDragLeave: (event) => mark(event, false),
    onDrop: (event) => {
      mark(event, false);
      if (!isOurs(event)) return;
      event.preventDefault();
      event.stopPropagation();
      take();
    },
  };
}
