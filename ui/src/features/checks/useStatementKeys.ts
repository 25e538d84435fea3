/** Walking from statement to statement of a checked text by the keyboard. */
import { useMemo } from 'react';
import { type Command, useCommands } from '@/lib/commands';
import { bringIntoView } from '@/lib/scroll';

const STATEMENTS = 'main [data-statement]';

export function useStatementKeys(): void {
  useCommands(
    useMemo<readonly Command[]>(
      () => [
        { id: 'statement-next', title: 'Next statement', group: 'View', keys: 'n', run: () => walk(1) },
        { id: 'statement-before', title: 'Previous statement', group: 'View', keys: 'p', run: () => walk(-1) },
      ],
      [],
    ),
  );
}

/** From the one in focus, else from the one that is looked at, else from the beginning or the end. */
function walk(by: 1 | -1): void {
  const all = [...document.querySelectorAll<HTMLElement>(STATEMENTS)];
  const focused = all.indexOf(document.activeElement as HTMLElement);
  const at = focused >= 0 ? focused : all.findIndex((one) => one.ariaPressed === 'true');
  const next = at >= 0 ? all[at + by] : by === 1 ? all[0] : all.at(-1);
  if (!next) return;
  next.focus({ preventScroll: true });
  bringIntoView(next);
  next.click();
}
