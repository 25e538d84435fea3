/** The one registry of commands: the palette lists them, the shortcut dialog explains them, the keyboard runs them. */
import { useEffect } from 'react';
import { create } from 'zustand';

export type CommandGroup = 'Go to' | 'Do' | 'View' | 'Find';

export interface Command {
  readonly id: string;
  readonly title: string;
  readonly group: CommandGroup;
  readonly run: () => void;
  /** Written like `mod+k`, `?` or, one after the other, `g a`. */
  readonly keys?: string;
  readonly words?: string;
}

interface Registry {
  readonly commands: readonly Command[];
}

export const useRegistry = create<Registry>(() => ({ commands: [] }));

/** Offers commands for as long as the component is on the screen. Give a memoised list. */
export function useCommands(commands: readonly Command[]): void {
  useEffect(() => {
    const ids = new Set(commands.map((command) => command.id));
    useRegistry.setState((state) => ({ commands: [...state.commands.filter(({ id }) => !ids.has(id)), ...commands] }));
    return () =>
      useRegistry.setState((state) => ({ commands: state.commands.filter((one) => !commands.includes(one)) }));
  }, [commands]);
}

/** Commands whose title, group or words hold every typed word, best first: titles that begin with the text lead. */
export function searchCommands(commands: readonly Command[], text: string): readonly Command[] {
  const needles = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = commands.filter((command) => {
    const hay = `${command.title} ${command.group} ${command.words ?? ''}`.toLowerCase();
    return needles.every((needle) => hay.includes(needle));
  });
  const leads = (command: Command) => (command.title.toLowerCase().startsWith(text.trim().toLowerCase()) ? 0 : 1);
  return text.trim() === '' ? found : found.toSorted((a, b) => leads(a) - leads(b));
}
