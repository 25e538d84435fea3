/** What a document is, in one line: "Annual report · 14 March 2025 · covers 2024 · amends the Framework Agreement". */
import { longDate } from '@/lib/format';
import type { Document } from '@/lib/wire';

type Facts = Document['facts'];

const PARTIES_SHOWN = 2;

export function factsLine(facts: Facts): string {
  const changes = facts.amends[0];
  const parts = [
    facts.kind && facts.kind.value.charAt(0).toUpperCase() + facts.kind.value.slice(1),
    facts.date && longDate(facts.date.value),
    facts.period && `covers ${period(facts.period.value)}`,
    parties(facts),
    changes && `${changes.replaces ? 'replaces' : 'amends'} ${changes.value}`,
  ];
  return parts.filter(Boolean).join(' · ');
}

/** The words that a fact was read from, or who corrected it: for the one who wonders. */
export function factsOrigin(facts: Facts): string {
  const told = [facts.kind, facts.date, facts.period, ...facts.parties, ...facts.amends];
  return told
    .filter((fact) => fact !== null)
    .map((fact) => (fact.origin === 'person' ? `${fact.value}: corrected by hand` : `${fact.value}: “${fact.words}”`))
    .join('\n');
}

function parties(facts: Facts): string {
  const named = facts.parties.map((party) => party.value);
  const more = named.length - PARTIES_SHOWN;
  return named.slice(0, PARTIES_SHOWN).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** "2019/2023" is shown as 2019–2023, "2024-Q3" as Q3 2024. */
function period(value: string): string {
  const [years = '', part] = value.split('-');
  const shown = years.replace('/', '–');
  return part === undefined ? shown : `${part} ${shown}`;
}
