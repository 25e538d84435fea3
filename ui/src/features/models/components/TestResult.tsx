import { clsx } from 'clsx';
import { Circle, CircleCheck, CircleDashed, CircleHelp, CircleMinus, CircleX, LoaderCircle } from 'lucide-react';
import { Notice } from '@/components/Notice';
import { Time } from '@/components/Marks';
import type { Ability, ModelTest } from '@/lib/modelWire';
import { ABILITIES, firstWordOf, isTesting, progressOf, SHAPES, STATES } from '../describe';

const LOOKS = {
  waiting: { Icon: Circle, look: 'text-ink-3' },
  running: { Icon: LoaderCircle, look: 'text-accent animate-spin' },
  yes: { Icon: CircleCheck, look: 'text-ok' },
  partly: { Icon: CircleDashed, look: 'text-warn' },
  no: { Icon: CircleX, look: 'text-bad' },
  unknown: { Icon: CircleHelp, look: 'text-warn' },
  untried: { Icon: CircleMinus, look: 'text-ink-3' },
} as const;

/** The last test of a model, or how far it is. What it cannot do is said in full. */
export function TestResult({ test, name }: { test: ModelTest; name: string }) {
  // Why the test ended early is said below, once.
  const short = test.abilities.filter(
    ({ state, detail }) => ['partly', 'no', 'unknown'].includes(state) && detail !== test.problem,
  );
  return (
    <div className="mt-2 grid gap-2">
      <Abilities abilities={test.abilities} label={`What ${name} can do`} />
      {short.length > 0 && (
        <ul className="grid gap-0.5 text-sm text-ink-2">
          {short.map(({ name: ability, detail }) => (
            <li key={ability}>
              <span className="font-medium">{ABILITIES[ability]}:</span> {detail}
            </li>
          ))}
        </ul>
      )}
      {test.problem !== null && <Notice tone="bad">{test.problem}</Notice>}
      <p className="text-xs text-ink-3 tabular-nums" role={isTesting(test) ? 'status' : undefined}>
        {isTesting(test) ? progressOf(test) : <Ended test={test} />}
      </p>
    </div>
  );
}

function Ended({ test: { finished_at, started_at, shape, first_word_s, problem } }: { test: ModelTest }) {
  if (finished_at === null) return <>The test was cut off. Test again.</>;
  return (
    <>
      {problem === null ? 'Tested' : 'The test failed'} <Time at={started_at} />
      {first_word_s !== null && ` · ${firstWordOf(first_word_s)}`}
      {shape !== null && ` · ${SHAPES[shape]}`}
    </>
  );
}

/** Each ability with its sign; the sentence behind it is shown on hover and read aloud. */
export function Abilities({ abilities, label }: { abilities: readonly Ability[]; label: string }) {
  return (
    <ul aria-label={label} className="flex flex-wrap gap-x-4 gap-y-1.5">
      {abilities.map(({ name, state, detail }) => {
        const { Icon, look } = LOOKS[state];
        return (
          <li
            key={name}
            title={detail}
            className={clsx(
              'flex items-center gap-1.5 text-sm',
              state === 'waiting' || state === 'untried' ? 'text-ink-3' : 'text-ink-2',
            )}
          >
            <Icon aria-hidden className={clsx('size-4 shrink-0', look)} />
            {ABILITIES[name]}
            <span className="sr-only">
              : {STATES[state]}. {detail}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
