import { FileText, Globe, Sparkles, Table2 } from 'lucide-react';

const KINDS = [
  { Icon: FileText, name: 'Documents', text: 'opened at the cited page, the passage marked' },
  { Icon: Globe, name: 'Web', text: 'the page as it was when it was read' },
  { Icon: Table2, name: 'Data', text: 'the rows a figure was computed from' },
  { Icon: Sparkles, name: 'Generated', text: 'with the steps that made it' },
] as const;

/** The place of evidence. A page may fill it; until then it says what belongs here. */
export function RightPane({ slotRef }: { slotRef: (slot: HTMLElement | null) => void }) {
  return (
    <div className="h-full overflow-y-auto">
      <div ref={slotRef} className="peer not-empty:h-full" />
      <div className="hidden p-5 peer-empty:block">
        <h2 className="font-serif text-lg font-semibold">Sources</h2>
        <p className="mt-1 text-sm text-pretty text-ink-2">
          Nothing is open. What you open in the library or in a search stands here, beside the page:
        </p>
        <ul className="mt-4 grid gap-3">
          {KINDS.map(({ Icon, name, text }) => (
            <li key={name} className="flex gap-3 text-sm">
              <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-3" />
              <span className="text-ink-2">
                <span className="font-medium text-ink">{name}</span>, {text}
              </span>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
