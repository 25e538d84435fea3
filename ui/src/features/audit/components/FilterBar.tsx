import { clsx } from 'clsx';
import { type ReactNode, useId } from 'react';
import { Button } from '@/components/Button';
import type { EventType, Member } from '@/lib/wire';
import { type AuditFilters, EVENT_NAMES, isFiltered } from '../filters';

const CONTROL = 'h-8 w-full min-w-0 rounded-md border bg-surface px-2 text-sm hover:border-ink-2 coarse:min-h-11';

interface FilterBarProps {
  filters: AuditFilters;
  /** The people to choose from; left out for those who see their own entries only. */
  members?: readonly Member[];
  onChange: (change: { [Key in keyof AuditFilters]?: AuditFilters[Key] | undefined }) => void;
  onClear: () => void;
}

export function FilterBar({ filters, members, onChange, onClear }: FilterBarProps) {
  return (
    <div role="search" aria-label="Filter the log" className="grid grid-cols-2 items-end gap-2.5 sm:flex sm:flex-wrap">
      <Labelled label="Event" active={filters.event !== undefined}>
        {(id, className) => (
          <select id={id} className={className} value={filters.event ?? ''} onChange={(event) => onChange({ event: (event.target.value || undefined) as EventType | undefined })}>
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
            <select id={id} className={className} value={filters.user ?? ''} onChange={(event) => onChange({ user: event.target.value || undefined })}>
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
          <select id={id} className={className} value={filters.outcome ?? ''} onChange={(event) => onChange({ outcome: (event.target.value || undefined) as AuditFilters['outcome'] })}>
            <option value="">Any</option>
            <option value="ok">Succeeded</option>
            <option value="failed">Failed</option>
          </select>
        )}
      </Labelled>
      <Labelled label="From" active={filters.since !== undefined}>
        {(id, className) => <input id={id} type="date" className={className} value={filters.since ?? ''} max={filters.until} onChange={(event) => onChange({ since: event.target.value || undefined })} />}
      </Labelled>
      <Labelled label="To" active={filters.until !== undefined}>
        {(id, className) => <input id={id} type="date" className={className} value={filters.until ?? ''} min={filters.since} onChange={(event) => onChange({ until: event.target.value || undefined })} />}
      </Labelled>
      {isFiltered(filters) && (
        <Button look="ghost" onClick={onClear}>
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
    <div className="grid min-w-0 gap-1">
      <label htmlFor={id} className="text-xs text-ink-3">
        {label}
      </label>
      {children(id, clsx(CONTROL, active ? 'border-accent text-accent' : 'border-line-strong text-ink'))}
    </div>
  );
}
