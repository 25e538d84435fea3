import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { longDate } from '@/lib/format';
import { cardQuery } from '../api';
import type { ReadingSearch } from '../place';

interface DocumentCardProps {
  id: string;
  version: number;
  onPlace: (place: ReadingSearch) => void;
}

/** What a document is, closed until asked for: its facts, its key figures and its chapters; each leads to its place. */
export function DocumentCard({ id, version, onPlace }: DocumentCardProps) {
  const card = useQuery(cardQuery(id, version)).data;
  if (!card) return null;
  const { facts, figures, headings } = card;
  const open = ({ start, end }: { start: number; end: number }) => onPlace({ doc: id, version, start, end });
  const parties = facts.parties.map(({ value }) => value).join(', ');
  return (
    <details className="border-b border-line px-4 py-2 text-sm">
      <summary className="cursor-pointer py-0.5 text-ink-2 hover:text-ink">About this document</summary>
      <dl className="mt-2 grid max-h-72 grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 overflow-y-auto pb-1">
        {card.title !== null && <Fact name="Title">{card.title}</Fact>}
        {facts.kind && <Fact name="Kind">{facts.kind.value}</Fact>}
        {facts.date && <Fact name="Date">{longDate(facts.date.value)}</Fact>}
        {facts.period && <Fact name="Period">{facts.period.value}</Fact>}
        {parties !== '' && <Fact name="Parties">{parties}</Fact>}
        {facts.amends.length > 0 && <Fact name="Amends">{facts.amends.map(({ value }) => value).join(', ')}</Fact>}
        {figures.length > 0 && (
          <Fact name="Key figures">
            <Places
              items={figures.map(({ name, value, start, end }) => ({ label: `${name}: ${value}`, start, end }))}
              onOpen={open}
            />
          </Fact>
        )}
        {headings.length > 0 && (
          <Fact name="Chapters">
            <Places items={headings.map(({ text, start, end }) => ({ label: text, start, end }))} onOpen={open} />
          </Fact>
        )}
      </dl>
    </details>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-3">{name}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </>
  );
}

interface Place {
  readonly label: string;
  readonly start: number;
  readonly end: number;
}

function Places({ items, onOpen }: { items: readonly Place[]; onOpen: (place: Place) => void }) {
  return (
    <ul className="grid gap-0.5">
      {items.map((item) => (
        <li key={item.start}>
          <button type="button" className="text-left text-accent hover:underline" onClick={() => onOpen(item)}>
            {item.label}
          </button>
        </li>
      ))}
    </ul>
  );
}
