import { clsx } from 'clsx';
import { type ReactNode, useId } from 'react';
import { Button } from '@/components/Button';
import type { Member } from '@/lib/wire';
import { type AuditFilters, EVENT_NAMES, isFiltered, readSearch } from '../filters';

const CONTROL = 'h-8 w-full min-w-0 rounded-md border bg-surface px-2 text-sm hover:border-ink-2 coarse:min-h-11';

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
      <Labelled label="Event" active={filters.event !== undefined}>
        {(id, className) => (
          <select id={id} className={className} value={filters.event ?? ''} onChange={(event) => set('event', event.target.value)}>
            <option value="">All events</option>
            {Object.entries(EVENT_NAMES).map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      {members && (
        <Labelled label="Person" active={filters.user !== undefined}>
          {(id, className) => (
            <select id={id} className={className} value={filters.user ?? ''} onChange={(event) => set('user', event.target.value)}>
              <option value="">Everyone</option>
              {members.map((member) => (
                <option key={member.user_id} value={member.user_id}>
                  {member.name}
                </option>
              ))}
            </select>
          )}
        </Labelled>
      )}
      <Labelled label="Outcome" active={filters.outcome !== undefined}>
        {(id, className) => (
          <select id={id} className={className} value={filters.outcome ?? ''} onChange={(event) => set('outcome', event.target.value)}>
            <option value="">Any</option>
            <option value="ok">Succeeded</option>
            <option value="failed">Failed</option>
          </select>
        )}
      </Labelled>
      <div className="col-span-2 grid grid-cols-2 gap-2.5 sm:flex">
        <Labelled label="From" active={filters.since !== undefined}>
          {(id, className) => <input id={id} type="date" className={className} value={filters.since ?? ''} max={filters.until} onChange={(event) => set('since', event.target.value)} />}
        </Labelled>
        <Labelled label="To" active={filters.until !== undefined}>
          {(id, className) => <input id={id} type="date" className={className} value={filters.until ?? ''} min={filters.since} onChange={(event) => set('until', event.target.value)} />}
        </Labelled>
      </div>
      {isFiltered(filters) && (
        <Button look="ghost" onClick={() => onChange({})}>
          Clear filters
        </Button>
      )}
    </div>
  );
}

interface LabelledProps {
  label: string;
  active: boolean;
  children: (id: string, className: string) => ReactNode;
}

function Labelled({ label, active, children }: LabelledProps) {
  const id = useId();
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-1 sm:max-w-56">
      <label htmlFor={id} className="text-xs text-ink-3">
        {label}
      </label>
      {children(id, clsx(CONTROL, active ? 'border-accent text-accent' : 'border-line-strong text-ink'))}
    </div>
  );
}
