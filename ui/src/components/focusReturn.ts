/** Focus goes back where it came from. Radix only knows the way for dialogs that have a trigger of their own. */
import { useMemo, useRef } from 'react';

export function useFocusReturn() {
  const before = useRef<Element | null>(null);
  return useMemo(
    () => ({
      onOpenAutoFocus: () => {
        before.current = document.activeElement;
      },
      onCloseAutoFocus: (event: Event) => {
        event.preventDefault();
        const target = before.current?.isConnected === true && before.current !== document.body ? before.current : document.getElementById('main');
        if (target instanceof HTMLElement) target.focus();
      },
    }),
    [],
  );
}
