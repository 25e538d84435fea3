/** Walking from citation to citation by the keyboard, and deciding on the one in focus. */
import { useMemo } from 'react';
import { type Command, useCommands } from '@/lib/commands';
import { bringIntoView } from '@/lib/scroll';

export interface CitationActs {
  /** Told when the walk comes to a citation. */
  readonly reached: (chip: HTMLElement) => void;
  readonly accept: (chip: HTMLElement) => void;
  readonly dispute: (chip: HTMLElement) => void;
}

const CHIPS = 'main [data-citation]';

/** Give memoised acts. */
export function useCitationKeys(acts: CitationActs): void {
  const commands = useMemo<readonly Command[]>(() => {
    const step = (by: 1 | -1) => {
      const chip = nextChip(by);
      if (!chip) return;
      reveal(chip);
      acts.reached(chip);
    };
    const here = (act: (chip: HTMLElement) => void) => {
      const chip = chipInFocus();
      if (chip) act(chip);
    };
    return [
      {
        id: 'citation-next',
        title: 'Next citation',
        group: 'View',
        keys: 'n',
        words: 'source evidence',
        run: () => step(1),
      },
      {
        id: 'citation-before',
        title: 'Previous citation',
        group: 'View',
        keys: 'p',
        words: 'source evidence',
        run: () => step(-1),
      },
      {
        id: 'citation-accept',
        title: 'Accept the citation in focus',
        group: 'Do',
        keys: 'a',
        words: 'review sign off',
        run: () => here(acts.accept),
      },
      {
        id: 'citation-dispute',
        title: 'Dispute the citation in focus',
        group: 'Do',
        keys: 'd',
        words: 'review wrong',
        run: () => here(acts.dispute),
      },
    ];
  }, [acts]);
  useCommands(commands);
}

function reveal(chip: HTMLElement): void {
  chip.focus({ preventScroll: true });
  bringIntoView(chip);
}

function chipInFocus(): HTMLElement | null {
  return document.activeElement?.closest<HTMLElement>('[data-citation]') ?? null;
}

/** After the one in focus; from elsewhere, the first of the last answer on the way forth and its last on the way back. */
function nextChip(by: 1 | -1): HTMLElement | undefined {
  const chips = [...document.querySelectorAll<HTMLElement>(CHIPS)];
  const at = chips.indexOf(chipInFocus() as HTMLElement);
  if (at >= 0) return chips[at + by];
  const answers = document.querySelectorAll('main [data-answer]');
  const last = [...(answers[answers.length - 1]?.querySelectorAll<HTMLElement>('[data-citation]') ?? [])];
  return by === 1 ? (last[0] ?? chips[0]) : (last.at(-1) ?? chips.at(-1));
}
