import { ChevronRight } from 'lucide-react';
import { TextField } from '@/components/Field';
import type { Model } from '@/lib/modelWire';

const PRICES = [
  { name: 'input_price', label: 'Price of reading', hint: 'US dollars for a million tokens.' },
  { name: 'output_price', label: 'Price of writing', hint: 'US dollars for a million tokens.' },
] as const;
const LIMITS = [
  { name: 'context_tokens', label: 'Tokens it can read', hint: 'Empty takes what the endpoint says.' },
  { name: 'output_tokens', label: 'Tokens it may write', hint: 'Empty takes a default.' },
  { name: 'timeout_s', label: 'Seconds to wait for it', hint: 'Empty takes a default.' },
] as const;

/** Prices and limits of a model; those of `model` stand there already. */
export function FigureFields({ model }: { model?: Model | undefined }) {
  return (
    <div className="grid items-start gap-4 @sm:grid-cols-2">
      {[...PRICES, ...LIMITS].map(({ name, label, hint }) => (
        <TextField
          key={name}
          name={name}
          label={label}
          hint={hint}
          inputMode="decimal"
          autoComplete="off"
          defaultValue={model?.[name] ?? ''}
        />
      ))}
    </div>
  );
}

interface MoreProps {
  open: boolean;
  onToggle: (open: boolean) => void;
}

/** The same, folded until it is wanted. */
export function MoreFigures({ open, onToggle }: MoreProps) {
  return (
    <details
      open={open}
      onToggle={(event) => onToggle(event.currentTarget.open)}
      className="@container group rounded-md border border-line px-3 py-1"
    >
      <summary className="flex min-h-8 cursor-pointer list-none items-center gap-1.5 rounded-sm text-sm font-medium coarse:min-h-11">
        <ChevronRight aria-hidden className="size-4 text-ink-3 transition-transform group-open:rotate-90" />
        More: prices and limits
      </summary>
      <div className="pt-2 pb-3">
        <FigureFields />
      </div>
    </details>
  );
}
