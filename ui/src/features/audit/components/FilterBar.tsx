import { Button } from '@/components/Button';
import { FilterChoice, FilterField } from '@/components/FilterField';
import type { Member } from '@/lib/wire';
import { type AuditFilters, EVENT_NAMES, isFiltered, readSearch } from '../filters';

const EVENTS = [
  { value: '', text: 'All events' },
  ...Object.entries(EVENT_NAMES).map(([value, text]) => ({ value, text })),
];
const OUTCOMES = [
  { value: '', text: 'Any' },
  { value: 'ok', text: 'Succeeded' },
  { value: 'failed', text: 'Failed' },
];

interface FilterBarProps {
  filters: AuditFilters;
  /** The people to choose from; left out for those who see their own entries only. */
  members?: readonly Member[];
  onChange: (filters: AuditFilters) => void;
}

export function FilterBar({ filters, members, onChange }: FilterBarProps) {
  /** An empty choice takes the filter away. */
  const set = (name: keyof AuditFilters, value: string) => {
    const { [name]: _, ...others } = filters;
    onChange(readSearch(value === '' ? others : { ...others, [name]: value }));
  };
  return (
    <div role="search" aria-label="Filter the log" className="grid grid-cols-2 items-end gap-2.5 sm:flex sm:flex-wrap">
      <FilterChoice
        label="Event"
        value={filters.event ?? ''}
        options={EVENTS}
        onChange={(value) => set('event', value)}
      />
      {members && (
        <FilterChoice
          label="Person"
          value={filters.user ?? ''}
          options={[
            { value: '', text: 'Everyone' },
            ...members.map((member) => ({ value: member.user_id, text: member.name })),
          ]}
          onChange={(value) => set('user', value)}
        />
      )}
      <FilterChoice
        label="Outcome"
        value={filters.outcome ?? ''}
        options={OUTCOMES}
        onChange={(value) => set('outcome', value)}
      />
      <div className="col-span-2 grid grid-cols-2 gap-2.5 sm:flex">
        <FilterField label="From" active={filters.since !== undefined}>
          {(id, className) => (
            <input
              id={id}
              type="date"
              className={className}
              value={filters.since ?? ''}
              max={filters.until}
              onChange={(event) => set('since', event.target.value)}
            />
          )}
        </FilterField>
        <FilterField label="To" active={filters.until !== undefined}>
          {(id, className) => (
            <input
              id={id}
              type="date"
              className={className}
              value={filters.until ?? ''}
              min={filters.since}
              onChange={(event) => set('until', event.target.value)}
            />
          )}
        </FilterField>
      </div>
      {isFiltered(filters) && (
        <Button look="ghost" onClick={() => onChange({})}>
          Clear filters
        </Button>
      )}
    </div>
  );
}
