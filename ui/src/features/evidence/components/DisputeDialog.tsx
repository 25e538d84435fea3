import { useId, useState } from 'react';
import { Button } from '@/components/Button';
import { Dialog, DialogActions } from '@/components/Dialog';
import { Notice } from '@/components/Notice';
import type { Citation } from '@/lib/conversationWire';
import { messageOf } from '@/lib/problem';

interface DisputeDialogProps {
  citation: Citation;
  onDispute: (note: string) => Promise<unknown>;
  onClose: () => void;
}

/** Says that a citation does not hold, and why; the note is kept with it. */
export function DisputeDialog({ citation, onDispute, onClose }: DisputeDialogProps) {
  const id = useId();
  const [note, setNote] = useState(citation.review?.note ?? '');
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);

  async function send() {
    setBusy(true);
    try {
      await onDispute(note.trim());
      onClose();
    } catch (error) {
      setRefusal(messageOf(error));
      setBusy(false);
    }
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Dispute this citation"
      description={citation.file_name}
    >
      <form
        aria-label="Dispute this citation"
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) void send();
        }}
      >
        {refusal !== null && <Notice tone="bad">{refusal}</Notice>}
        {citation.sentence !== '' && <p className="text-sm text-pretty text-ink-2">{citation.sentence}</p>}
        <label htmlFor={id} className="text-sm font-medium">
          What is wrong with it?
        </label>
        <textarea
          data-autofocus
          id={id}
          value={note}
          rows={3}
          maxLength={2000}
          onChange={(event) => setNote(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            if (!busy) void send();
          }}
          className="rounded-md border border-line-strong bg-surface px-3 py-2 text-base hover:border-ink-2"
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="danger" busy={busy}>
            Dispute
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
