import { clsx } from 'clsx';
import { type ReactNode, useId } from 'react';

const CONTROL = 'h-8 w-full min-w-0 rounded-md border bg-surface px-2 text-sm hover:border-ink-2 coarse:min-h-11';

interface FilterFieldProps {
  label: string;
  active: boolean;
  children: (id: string, className: string) => ReactNode;
}

/** A labelled control that narrows a list; it shows when it does. */
export function FilterField({ label, active, children }: FilterFieldProps) {
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

interface FilterChoiceProps {
  label: string;
  value: string;
  options: readonly { readonly value: string; readonly text: string }[];
  onChange: (value: string) => void;
}

/** One of several; the empty value narrows nothing. */
export function FilterChoice({ label, value, options, onChange }: FilterChoiceProps) {
  return (
    <FilterField label={label} active={value !== ''}>
      {(id, className) => (
        <select id={id} className={className} value={value} onChange={(event) => onChange(event.target.value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.text}
            </option>
          ))}
        </select>
      )}
    </FilterField>
  );
}
