/** Focus goes back where it came from. Radix only knows the way for dialogs that have a trigger of their own. */
import { useMemo, useRef } from 'react';

export function useFocusReturn() {
  const before = useRef<Element | null>(null);
  return useMemo(
    () => ({
      onOpenAutoFocus: (event: Event) => {
        before.current = document.activeElement;
        // Where one thing is to be filled in, the focus goes there; else to the first that can have it.
        const wanted = (event.target as HTMLElement).querySelector<HTMLElement>('[data-autofocus]');
        if (!wanted) return;
        event.preventDefault();
        wanted.focus();
      },
      onCloseAutoFocus: (event: Event) => {
        event.preventDefault();
        const target =
          before.current?.isConnected === true && before.current !== document.body
            ? before.current
            : document.getElementById('main');
        if (target instanceof HTMLElement) target.focus();
      },
    }),
    [],
  );
}
