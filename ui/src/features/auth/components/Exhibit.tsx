/** A picture of the idea, drawn in type: a sentence, its citation, and the passage that proves it. */
export function Exhibit() {
  return (
    <div aria-hidden className="relative select-none">
      <div className="rounded-lg border border-line bg-surface px-6 py-5 font-serif text-md leading-relaxed">
        Subscription revenue rose by 18.4 %{' '}
        <span className="rounded-sm bg-accent-soft px-1.5 py-0.5 align-[0.12em] font-sans text-2xs font-semibold text-accent">
          1
        </span>{' '}
        in a market that grew by six.
      </div>
      <div className="relative mt-5 ml-12 rounded-lg border border-line bg-surface px-5 py-4 before:absolute before:-top-5 before:-left-5 before:h-10 before:w-5 before:rounded-bl-md before:border-b before:border-l before:border-dashed before:border-line-strong sm:ml-16">
        <p className="mb-1.5 font-sans text-xs text-ink-3">
          <span className="font-semibold text-ink-2">Annual report 2025</span> · page 63
        </p>
        <p className="font-serif text-base leading-relaxed text-ink-2">
          … for the year.{' '}
          <span className="evidence">Subscription revenue was $41.2 million, an increase of 18.4 %</span> over the prior
          year, driven by …
        </p>
      </div>
    </div>
  );
}
