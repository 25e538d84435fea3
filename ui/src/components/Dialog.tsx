import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { IconButton } from './Button';
import { useFocusReturn } from './focusReturn';

interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  /** Shown once and gone with the dialog: only its own buttons may then close it. */
  sticky?: boolean;
  children: ReactNode;
}

/** A dialog in the middle of the screen; focus goes in, stays in, and returns where it came from. */
export function Dialog({ open, onOpenChange, title, description, sticky = false, children }: DialogProps) {
  const focusReturn = useFocusReturn();
  const hold = sticky ? (event: Event) => event.preventDefault() : undefined;
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fade-in fixed inset-0 z-40 bg-scrim" />
        <Radix.Content
          {...focusReturn}
          {...(hold && { onInteractOutside: hold, onEscapeKeyDown: hold })}
          {...(description === undefined && { 'aria-describedby': undefined })}
          className="float-in fixed top-[12vh] left-1/2 z-50 flex max-h-[82vh] w-[min(30rem,calc(100vw-1.5rem))] -translate-x-1/2 flex-col rounded-lg bg-surface shadow-float focus:outline-none"
        >
          <header className="flex items-start gap-3 px-5 pt-4 pb-1">
            <div className="min-w-0 flex-1">
              <Radix.Title className="font-serif text-lg font-semibold [overflow-wrap:anywhere]">{title}</Radix.Title>
              {description !== undefined && (
                <Radix.Description className="mt-0.5 text-sm text-ink-2 [overflow-wrap:anywhere]">
                  {description}
                </Radix.Description>
              )}
            </div>
            {!sticky && (
              <Radix.Close asChild>
                <IconButton label="Close" className="-mr-2">
                  <X aria-hidden className="size-4" />
                </IconButton>
              </Radix.Close>
            )}
          </header>
          <div className="overflow-y-auto px-5 pt-3 pb-5">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** The row of buttons that ends a dialog. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-1 flex flex-wrap justify-end gap-2">{children}</div>;
}
