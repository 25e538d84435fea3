import { BookOpen } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { EmptyState } from '@/components/EmptyState';
import { FileMark } from '@/components/FileMark';
import { thumbnailPath } from '@/lib/documents';
import type { Citation } from '@/lib/conversationWire';
import type { Told } from '../marks';
import { countsOf, kindOfEntity, kindOfSource, type SourceKind, type Tab, TABS } from '../kinds';
import type { NumberedFile, Read } from '../sources';
import { SourceEntry } from './SourceEntry';

export interface PanelActs {
  readonly open: (citation: Citation) => void;
  readonly openDocument: (document: string) => void;
  readonly openEpisode: (episode: Told) => void;
  /** Left out where the reader may not decide. */
  readonly review?: ((citation: Citation, decision: 'accepted' | 'disputed') => void) | undefined;
}

interface SourcesPanelProps {
  sources: readonly NumberedFile[];
  /** Found and not cited. */
  others: readonly Read[];
  /** The answer is being written. */
  isWritten: boolean;
  acts: PanelActs;
  /** More on the text as a whole, below its sources. */
  children?: ReactNode;
}

/** All that an answer rests on, by kind, each passage a step away; below it what was found and not used. */
export function SourcesPanel({ sources, others, isWritten, acts, children }: SourcesPanelProps) {
  const [tab, setTab] = useState<Tab>('all');
  const cited = sources.map((source) => ({ source, kind: kindOfSource(source.file) }));
  const read = others.map((one) => ({ one, kind: kindOfEntity(one.entity) }));
  const counts = countsOf([...cited, ...read].map(({ kind }) => kind));
  const fits = ({ kind }: { kind: SourceKind }) => tab === 'all' || kind === tab;
  const shown = cited.filter(fits);
  const rest = read.filter(fits);
  return (
    <Tabs.Root value={tab} onValueChange={(value) => setTab(value as Tab)} className="flex h-full min-h-0 flex-col">
      <header className="border-b border-line px-4 pt-3.5">
        <h2 className="font-serif text-lg font-semibold">Sources</h2>
        <Tabs.List aria-label="Kinds of sources" className="-mx-1 mt-1.5 flex flex-wrap gap-x-0.5">
          {TABS.filter((one) => one.tab !== 'memory' || counts.memory > 0).map(({ tab: one, name }) => (
            <Tabs.Trigger
              key={one}
              value={one}
              className="flex h-9 shrink-0 items-center gap-1 border-b-2 border-transparent px-1 text-sm text-ink-2 hover:text-ink focus-visible:-outline-offset-2 data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-ink"
            >
              {name} <span className="text-xs text-ink-3 tabular-nums">{counts[one]}</span>
            </Tabs.Trigger>
          ))}
        </Tabs.List>
      </header>
      <Tabs.Content value={tab} className="min-h-0 flex-1 overflow-y-auto px-4 py-3 focus-visible:-outline-offset-2">
        {shown.length === 0 && rest.length === 0 && <Nothing isWritten={isWritten} isNarrowed={counts.all > 0} />}
        <ul className="grid grid-cols-[minmax(0,1fr)] gap-4">
          {shown.map(({ source }) => (
            <SourceEntry key={source.number} source={source} acts={acts} />
          ))}
        </ul>
        {tab === 'all' && children}
        {rest.length > 0 && (
          <Others
            title={isWritten ? 'Found, not cited' : 'Found so far'}
            read={rest.map(({ one }) => one)}
            hasCited={shown.length > 0 || children !== undefined}
            acts={acts}
          />
        )}
      </Tabs.Content>
    </Tabs.Root>
  );
}

function Nothing({ isWritten, isNarrowed }: { isWritten: boolean; isNarrowed: boolean }) {
  if (isNarrowed) return <p className="text-sm text-ink-2">None of this kind.</p>;
  return (
    <EmptyState icon={<BookOpen />} title={isWritten ? 'No sources' : 'Looking for sources'}>
      {isWritten ? 'This answer cites nothing.' : 'They appear here as they are found.'}
    </EmptyState>
  );
}

interface OthersProps {
  title: string;
  read: readonly Read[];
  hasCited: boolean;
  acts: PanelActs;
}

function Others({ title, read, hasCited, acts }: OthersProps) {
  return (
    <section aria-label={title} className={hasCited ? 'mt-5 border-t border-line pt-3.5' : ''}>
      <h3 className="mb-2 text-xs font-semibold text-ink-3">{title}</h3>
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-1">
        {read.map(({ key, entity, document, episode }) => (
          <li key={key} className="relative flex items-center gap-2.5 rounded-md px-1.5 py-1 hover:bg-hover">
            <FileMark
              mimeType={entity.mimetype}
              isSaid={episode !== null}
              picture={document === null ? null : thumbnailPath(document)}
            />
            {document === null && episode === null ? (
              <bdi className="min-w-0 flex-1 truncate text-sm text-ink-2">{entity.title ?? entity.file_name}</bdi>
            ) : (
              <button
                type="button"
                onClick={() => (document === null ? episode && acts.openEpisode(episode) : acts.openDocument(document))}
                className="min-w-0 flex-1 truncate text-left text-sm text-ink-2 after:absolute after:inset-0 hover:text-ink"
              >
                <bdi>{entity.title ?? entity.file_name}</bdi>
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
