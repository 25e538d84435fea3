import { clsx } from 'clsx';

const LOOKS: Readonly<Record<string, string>> = { '+': 'bg-ok-soft', '-': 'bg-bad-soft', '@': 'text-ink-3' };
const WORDS: Readonly<Record<string, string>> = { '+': 'Added: ', '-': 'Removed: ' };
/** The two lines that name the document. */
const HEAD = 2;

/** A unified diff, line by line: what goes and what comes is told by a sign, a colour and a word. */
export function DiffText({ diff }: { diff: string }) {
  const lines = diff
    .split('\n')
    .slice(HEAD)
    .map((text, number) => ({ text, number, sign: text.charAt(0) }));
  return (
    <div
      role="group"
      aria-label="What changes"
      tabIndex={0}
      className="max-h-80 overflow-auto rounded-md border border-line bg-surface py-1 font-mono text-xs leading-relaxed"
    >
      {lines.map(({ text, number, sign }) => (
        <div
          key={number}
          className={clsx('min-h-5 px-3 pl-6 -indent-3 whitespace-pre-wrap [overflow-wrap:anywhere]', LOOKS[sign])}
        >
          {WORDS[sign] !== undefined && <span className="sr-only">{WORDS[sign]}</span>}
          {text}
        </div>
      ))}
    </div>
  );
}
