import { Wordmark } from '@/components/Marks';
import { titleCase } from '@/lib/format';
import { chaptersOf, type Contract } from './contract';
import { OperationCard } from './OperationCard';

const headingOf = (chapter: string) => titleCase(chapter.replaceAll('-', ' '));

/** The whole HTTP interface on one page, straight from the contract that the server serves. */
export function Manual({ contract }: { contract: Contract }) {
  const chapters = [...chaptersOf(contract)];
  return (
    <div className="mx-auto grid max-w-6xl gap-x-12 px-5 py-8 md:grid-cols-[13rem_minmax(0,1fr)]">
      <nav aria-label="Chapters" className="text-sm max-md:hidden">
        <div className="sticky top-8 grid max-h-[calc(100vh-4rem)] gap-4 overflow-y-auto">
          <a href="/">
            <Wordmark />
          </a>
          {chapters.map(([chapter, entries]) => (
            <div key={chapter}>
              <a href={`#${chapter}`} className="font-semibold hover:text-accent">
                {headingOf(chapter)}
              </a>
              <ul className="mt-1 grid gap-0.5">
                {entries.map(({ operation }) => (
                  <li key={operation.operationId}>
                    <a
                      href={`#${operation.operationId}`}
                      className="block truncate py-0.5 text-ink-2 hover:text-accent"
                    >
                      {operation.summary}
                    </a>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </div>
      </nav>
      <main>
        <h1 className="font-serif text-2xl font-semibold">{contract.info.title} API</h1>
        <p className="mt-2 max-w-[70ch] text-ink-2">{contract.info.description?.replaceAll('`', '')}</p>
        <p className="mt-2 text-sm text-ink-3">
          Version {contract.info.version}. For programs:{' '}
          <a href="/api/openapi.json" className="text-accent underline underline-offset-2">
            openapi.json
          </a>
        </p>
        {chapters.map(([chapter, entries]) => (
          <section key={chapter} id={chapter} aria-label={chapter} className="mt-10">
            <h2 className="mb-3 text-lg font-semibold">{headingOf(chapter)}</h2>
            <div className="grid gap-3">
              {entries.map((entry) => (
                <OperationCard key={entry.operation.operationId} entry={entry} contract={contract} />
              ))}
            </div>
          </section>
        ))}
      </main>
    </div>
  );
}
