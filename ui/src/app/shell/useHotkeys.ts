/** Runs the registered command whose keys are pressed. */
import { useEffect } from 'react';
import { useRegistry } from '@/lib/commands';
import { HotkeyReader } from '@/lib/hotkeys';

export function useHotkeys(): void {
  useEffect(() => {
    const reader = new HotkeyReader();
    const listen = (event: KeyboardEvent) => {
      const { commands } = useRegistry.getState();
      const hit = reader.read(
        event,
        commands.flatMap(({ keys }) => keys ?? []),
      );
      // Inside a dialog the page behind must not move; its own keys still work.
      if (hit === null || document.querySelector('[role=alertdialog], [role=dialog]')) return;
      event.preventDefault();
      commands.find(({ keys }) => keys === hit)?.run();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}
