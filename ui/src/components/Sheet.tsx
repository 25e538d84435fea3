import { clsx } from 'clsx';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { useFocusReturn } from './focusReturn';

interface SheetProps {
  side: 'left' | 'right';
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** As wide as the screen allows. */
  wide?: boolean;
  children: ReactNode;
}

/** A pane that slides over the page where the screen is too narrow to hold it beside. */
export function Sheet({ side, open, onOpenChange, title, wide = false, children }: SheetProps) {
  const focusReturn = useFocusReturn();
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fade-in fixed inset-0 z-30 bg-scrim" />
        <Radix.Content
          {...focusReturn}
          aria-describedby={undefined}
          className={clsx(
            'fixed inset-y-0 z-30 flex flex-col shadow-float focus:outline-none',
            side === 'left' ? 'sheet-left left-0 w-[min(18rem,86vw)] bg-sunken' : 'sheet-right right-0 bg-bg',
            side === 'right' && (wide ? 'w-[min(52rem,96vw)]' : 'w-[min(26rem,94vw)]'),
          )}
        >
          <Radix.Title className="sr-only">{title}</Radix.Title>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
