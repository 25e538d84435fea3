import { clsx } from 'clsx';
import type { Hunk } from '@/lib/wire';
import { type Numbered, numbered, paired } from '../history';

const LOOKS = { same: '', added: 'bg-ok-soft', removed: 'bg-bad-soft' } as const;
const SIGNS = { same: ' ', added: '+', removed: '−' } as const;
const WORDS = { same: '', added: 'Added: ', removed: 'Removed: ' } as const;
const NUMBER = 'px-2 text-right align-top text-ink-3 tabular-nums select-none';
const TEXT = 'min-w-0 px-2 whitespace-pre-wrap [overflow-wrap:anywhere]';
const FRAME =
  'w-full table-fixed border-collapse overflow-hidden rounded-md border border-line bg-surface font-mono text-xs leading-relaxed';

/** Removed and added lines below each other, with both line numbers. */
export function Unified({ hunk }: { hunk: Hunk }) {
  return (
    <table className={FRAME}>
      <caption className="sr-only">Changes from line {hunk.after_start}</caption>
      <colgroup>
        <col className="w-11" />
        <col className="w-11" />
        <col />
      </colgroup>
      <tbody>
        {numbered(hunk).map((line) => (
          <tr key={`${line.before} ${line.after}`} className={LOOKS[line.kind]}>
            <td className={NUMBER}>{line.before}</td>
            <td className={NUMBER}>{line.after}</td>
            <td className={clsx(TEXT, 'pl-5 -indent-3')}>
              <Line line={line} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The older version on the left, the newer on the right. */
export function SideBySide({ hunk }: { hunk: Hunk }) {
  return (
    <table className={FRAME}>
      <caption className="sr-only">Changes from line {hunk.after_start}</caption>
      <colgroup>
        <col className="w-11" />
        <col />
        <col className="w-11" />
        <col />
      </colgroup>
      <tbody>
        {paired(numbered(hunk)).map(({ left, right }) => (
          <tr key={`${left?.before ?? ''} ${right?.after ?? ''}`} className="align-top">
            <td className={clsx(NUMBER, left && LOOKS[left.kind])}>{left?.before}</td>
            <td className={clsx(TEXT, 'border-r border-line', left ? LOOKS[left.kind] : 'bg-sunken')}>
              {left && <Line line={left} />}
            </td>
            <td className={clsx(NUMBER, right && LOOKS[right.kind])}>{right?.after}</td>
            <td className={clsx(TEXT, right ? LOOKS[right.kind] : 'bg-sunken')}>{right && <Line line={right} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Line({ line }: { line: Numbered }) {
  return (
    <>
      <span aria-hidden className="inline-block w-3 select-none">
        {SIGNS[line.kind]}
      </span>
      <span className="sr-only">{WORDS[line.kind]}</span>
      {line.text}
    </>
  );
}
