import { Link2, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '@/components/Button';
import { Badge, Time } from '@/components/Marks';
import type { AuditEntry } from '@/lib/wire';
import type { NameOf } from '../describe';
import { EVENT_NAMES } from '../filters';
import { EntrySentence } from './EntrySentence';

interface EntryDetailProps {
  entry: AuditEntry;
  nameOf: NameOf;
  onClose: () => void;
}

/** All that an entry says, its hash and its seal. */
export function EntryDetail({ entry, nameOf, onClose }: EntryDetailProps) {
  return (
    <article aria-label={`Entry ${entry.seq}`} className="grid grid-cols-[minmax(0,1fr)] gap-5 p-5">
      <header className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <p className="text-xs text-ink-3">Entry {entry.seq}</p>
          <h2 className="font-serif text-lg leading-snug font-semibold [overflow-wrap:anywhere]">
            <EntrySentence entry={entry} nameOf={nameOf} />
          </h2>
        </div>
        <IconButton label="Close entry" onClick={onClose}>
          <X aria-hidden className="size-4" />
        </IconButton>
      </header>
      <dl className="grid gap-2.5 text-sm">
        <Fact name="When">
          <Time at={entry.created_at} exact />
        </Fact>
        <Fact name="Event">{EVENT_NAMES[entry.event_type] ?? entry.event_type}</Fact>
        <Fact name="Outcome">
          {entry.success ? <Badge tone="ok">Succeeded</Badge> : <Badge tone="bad">Failed</Badge>}
        </Fact>
        {entry.entity_type !== null && <Fact name="About">{entry.entity_type.replaceAll('_', ' ')}</Fact>}
        {Object.entries(entry.details).map(([name, value]) => (
          <Fact key={name} name={name.replaceAll('_', ' ')}>
            {String(value)}
          </Fact>
        ))}
        <Code name="Entry id" text={entry.id} />
        {entry.user_id !== null && <Code name="Person" text={entry.user_id} />}
        {entry.entity_id !== null && <Code name="Subject" text={entry.entity_id} />}
      </dl>
      <section aria-label="Seal" className="rounded-lg border border-line bg-surface p-4">
        <h3 className="flex items-center gap-2 text-sm font-semibold">
          <Link2 aria-hidden className="size-4 text-ink-3" />
          Seal
        </h3>
        <p className="mt-1 mb-3 text-xs text-pretty text-ink-3">
          The hash covers this entry and the hash before it. The seal over it can be made only with the secret key of
          this installation.
        </p>
        <Hash name="This entry" value={entry.hash} marked />
        <Hash name="The entry before" value={entry.previous_hash} />
        {entry.seal !== null && <Hash name={`Seal, key ${entry.seal_key ?? 'unknown'}`} value={entry.seal} />}
      </section>
    </article>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-3">
      <dt className="text-ink-3 first-letter:uppercase">{name}</dt>
      <dd className="[overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}

function Code({ name, text }: { name: string; text: string }) {
  return (
    <Fact name={name}>
      <code className="font-mono text-xs text-ink-2">{text}</code>
    </Fact>
  );
}

function Hash({ name, value, marked = false }: { name: string; value: string; marked?: boolean }) {
  return (
    <div className="mt-2">
      <p className="text-xs text-ink-3">{name}</p>
      <code className="font-mono text-xs break-all text-ink-2">
        {marked ? <mark className="evidence">{value}</mark> : value}
      </code>
    </div>
  );
}
