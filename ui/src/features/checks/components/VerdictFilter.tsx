import { clsx } from 'clsx';
import { type Verdict, VERDICT_ORDER, type VerdictCounts, VERDICTS } from '@/lib/checkWire';
import { doneOf } from '../words';

interface VerdictFilterProps {
  counts: VerdictCounts;
  /** Undefined shows all. */
  shown: Verdict | undefined;
  onShow: (verdict: Verdict | undefined) => void;
}

/** Narrows a checked text to the statements with one verdict, and says how many have which. */
export function VerdictFilter({ counts, shown, onShow }: VerdictFilterProps) {
  return (
    <div role="group" aria-label="Show statements" className="flex flex-wrap gap-1.5">
      <Choice
        name="All"
        sign=""
        total={doneOf(counts)}
        isChosen={shown === undefined}
        onChoose={() => onShow(undefined)}
      />
      {VERDICT_ORDER.map((verdict) => (
        <Choice
          key={verdict}
          name={VERDICTS[verdict].word}
          sign={VERDICTS[verdict].sign}
          total={counts[verdict]}
          isChosen={shown === verdict}
          onChoose={() => onShow(shown === verdict ? undefined : verdict)}
        />
      ))}
    </div>
  );
}

interface ChoiceProps {
  name: string;
  sign: string;
  total: number;
  isChosen: boolean;
  onChoose: () => void;
}

function Choice({ name, sign, total, isChosen, onChoose }: ChoiceProps) {
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      disabled={total === 0 && !isChosen}
      onClick={onChoose}
      className={clsx(
        'inline-flex h-8 items-center gap-1.5 rounded-md border px-2.5 text-sm disabled:cursor-not-allowed disabled:opacity-60 coarse:h-11',
        isChosen
          ? 'border-accent bg-accent-soft text-accent'
          : 'border-line text-ink-2 enabled:hover:border-line-strong',
      )}
    >
      {sign !== '' && <span aria-hidden>{sign}</span>}
      {name} <span className="tabular-nums">{total}</span>
    </button>
  );
}
