import type { ChapterView } from '../view';

/** The outline of what is being written: its chapters in their order, each with what it is to tell. */
export function OutlineList({ chapters }: { chapters: readonly ChapterView[] }) {
  if (chapters.length === 0) return null;
  return (
    <section className="rounded-md border border-line bg-surface px-3 py-2">
      <h4 className="mb-1 text-xs font-semibold text-ink-3">Outline</h4>
      <ol aria-label="Outline" className="grid list-decimal gap-0.5 pl-5 text-sm marker:text-ink-3">
        {chapters.map(({ heading, message }, number) => (
          <li key={number} className="[overflow-wrap:anywhere]">
            <span className="font-medium">{heading}</span>
            {message !== '' && <span className="block text-xs text-pretty text-ink-2">{message}</span>}
          </li>
        ))}
      </ol>
    </section>
  );
}
