import { ChevronDown, Shapes } from 'lucide-react';
import { Button } from '@/components/Button';
import { Menu, MenuChoice } from '@/components/Menu';
import { CHOICES, type Wanted } from '@/lib/deliverableWire';

interface DeliverableSelectorProps {
  value: Wanted;
  onChange: (wanted: Wanted) => void;
}

/** What the question is to become. */
export function DeliverableSelector({ value, onChange }: DeliverableSelectorProps) {
  const chosen = CHOICES.find((choice) => choice.value === value)?.text ?? 'Answer';
  return (
    <Menu
      side="top"
      trigger={
        <Button
          look="ghost"
          aria-label={`What to make: ${chosen}`}
          className={value === 'STANDARD' ? 'h-7 px-2 text-xs' : 'h-7 bg-accent-soft px-2 text-xs text-accent'}
        >
          <Shapes aria-hidden className="size-3.5" /> {chosen} <ChevronDown aria-hidden className="size-3" />
        </Button>
      }
    >
      <MenuChoice label="Make" value={value} onChange={(next) => onChange(next as Wanted)} options={CHOICES} />
    </Menu>
  );
}
