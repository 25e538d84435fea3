import { createContext, type ReactNode, useContext } from 'react';
import { createPortal } from 'react-dom';

/** Where the shell keeps the right pane: null while the pane is closed. */
export const RightPaneSlot = createContext<HTMLElement | null>(null);

/** What a page shows in the right pane of the shell. */
export function InRightPane({ children }: { children: ReactNode }) {
  const slot = useContext(RightPaneSlot);
  return slot === null ? null : createPortal(children, slot);
}
