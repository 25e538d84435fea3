/** How well a document fits, as a bar and as a number. */
export function Relevance({ score }: { score: number }) {
  const percent = Math.round(Math.min(1, Math.max(0, score)) * 100);
  return (
    <span
      className="inline-flex items-center gap-1.5 text-xs whitespace-nowrap text-ink-3 tabular-nums"
      title="How well it fits the search"
    >
      <span aria-hidden className="h-1 w-10 overflow-hidden rounded-full bg-sunken ring-1 ring-line ring-inset">
        <span className="block h-full rounded-full bg-accent" style={{ width: `${percent}%` }} />
      </span>
      <span className="sr-only">Relevance </span>
      {percent} %
    </span>
  );
}
