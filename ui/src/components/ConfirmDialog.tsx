import { AlertDialog } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { messageOf } from '@/lib/problem';
import { Button } from './Button';
import { useFocusReturn } from './focusReturn';
import { Notice } from './Notice';

interface ConfirmDialogProps {
  /** What opens it; left out where the caller does, by showing it. */
  trigger?: ReactNode;
  onClose?: () => void;
  title: ReactNode;
  consequence: ReactNode;
  action: string;
  onConfirm: () => Promise<void>;
}

/** Asks before something that cannot be undone, says what will happen, and shows the server's words if it refuses. */
export function ConfirmDialog({ trigger, onClose, title, consequence, action, onConfirm }: ConfirmDialogProps) {
  const [open, setOpen] = useState(trigger === undefined);
  const focusReturn = useFocusReturn();
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);

  async function confirm() {
    setBusy(true);
    setRefusal(null);
    try {
      await onConfirm();
      change(false);
    } catch (error) {
      setRefusal(messageOf(error));
    } finally {
      setBusy(false);
    }
  }

  function change(next: boolean) {
    setRefusal(null);
    setOpen(next);
    if (!next) onClose?.();
  }

  return (
    <AlertDialog.Root open={open} onOpenChange={change}>
      {trigger !== undefined && <AlertDialog.Trigger asChild>{trigger}</AlertDialog.Trigger>}
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fade-in fixed inset-0 z-40 bg-scrim" />
        <AlertDialog.Content
          {...(trigger === undefined && focusReturn)}
          className="float-in fixed top-[18vh] left-1/2 z-50 grid w-[min(26rem,calc(100vw-1.5rem))] grid-cols-[minmax(0,1fr)] -translate-x-1/2 gap-3 rounded-lg bg-surface p-5 shadow-float focus:outline-none"
        >
          <AlertDialog.Title className="font-serif text-lg font-semibold [overflow-wrap:anywhere]">
            {title}
          </AlertDialog.Title>
          <AlertDialog.Description asChild>
            <div className="text-sm text-pretty text-ink-2 [overflow-wrap:anywhere]">{consequence}</div>
          </AlertDialog.Description>
          {refusal !== null && <Notice tone="bad">{refusal}</Notice>}
          <div className="mt-1 flex justify-end gap-2">
            <AlertDialog.Cancel asChild>
              <Button>Cancel</Button>
            </AlertDialog.Cancel>
            <Button look="danger" busy={busy} onClick={() => void confirm()}>
              {action}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
