import { clsx } from 'clsx';
import { Check } from 'lucide-react';
import { DropdownMenu as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

const ITEM =
  'flex min-h-8 cursor-pointer items-center gap-2.5 rounded-sm px-2.5 py-1 text-sm outline-none select-none ' +
  'data-[highlighted]:bg-hover data-[disabled]:cursor-default data-[disabled]:opacity-50 coarse:min-h-11';

interface MenuProps {
  trigger: ReactNode;
  align?: 'start' | 'end';
  side?: 'top' | 'bottom';
  children: ReactNode;
}

export function Menu({ trigger, align = 'start', side = 'bottom', children }: MenuProps) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="float-in z-50 max-h-[70vh] max-w-[min(24rem,calc(100vw-1rem))] min-w-56 overflow-y-auto rounded-lg bg-surface p-1.5 shadow-float"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface MenuItemProps {
  icon?: ReactNode;
  onSelect: () => void;
  disabled?: boolean;
  children: ReactNode;
}

export function MenuItem({ icon, onSelect, disabled = false, children }: MenuItemProps) {
  return (
    <Radix.Item className={ITEM} onSelect={onSelect} disabled={disabled}>
      {icon !== undefined && <span className="text-ink-3 [&>svg]:size-4">{icon}</span>}
      {children}
    </Radix.Item>
  );
}

interface MenuChoiceProps<Value extends string> {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  options: readonly { readonly value: Value; readonly text: string; readonly note?: string }[];
  /** The menu stays open, for something else is chosen after it. */
  staysOpen?: boolean;
}

/** A group of which exactly one is chosen. */
export function MenuChoice<Value extends string>({
  label,
  value,
  onChange,
  options,
  staysOpen = false,
}: MenuChoiceProps<Value>) {
  return (
    <Radix.RadioGroup value={value} onValueChange={(chosen) => onChange(chosen as Value)}>
      <MenuLabel>{label}</MenuLabel>
      {options.map((option) => (
        <Radix.RadioItem
          key={option.value}
          value={option.value}
          className={clsx(ITEM, 'justify-between')}
          onSelect={(event) => {
            if (staysOpen) event.preventDefault();
          }}
        >
          <span className="min-w-0">
            <span className="block truncate">{option.text}</span>
            {option.note !== undefined && <span className="block text-xs text-ink-3">{option.note}</span>}
          </span>
          <Radix.ItemIndicator>
            <Check aria-hidden className="size-4 text-accent" />
          </Radix.ItemIndicator>
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  );
}

/** The name of a group of items. */
export function MenuLabel({ children }: { children: ReactNode }) {
  return (
    <Radix.Label className="px-2.5 pt-1.5 pb-1 text-2xs font-semibold tracking-wide text-ink-3 uppercase">
      {children}
    </Radix.Label>
  );
}

export function MenuLine() {
  return <Radix.Separator className="my-1.5 h-px bg-line" />;
}
