import { Link, useNavigate } from '@tanstack/react-router';
import { Ellipsis, PencilLine, TextCursorInput, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button, buttonClass, IconButton } from '@/components/Button';
import { Dialog, DialogActions } from '@/components/Dialog';
import { Menu, MenuItem } from '@/components/Menu';
import { toast } from '@/lib/announce';
import type { Deliverable } from '@/lib/deliverableWire';
import { messageOf } from '@/lib/problem';
import { useRevise, useTrash } from '../api';

/** Edits, renames or deletes a deliverable. */
export function ChangeMenu({ deliverable }: { deliverable: Deliverable }) {
  const { id } = deliverable;
  const [isRenaming, setRenaming] = useState(false);
  const trash = useTrash();
  const navigate = useNavigate();
  const remove = () =>
    trash.mutate(
      { id, isDeleted: true },
      {
        onSuccess: () => {
          toast('Moved to the trash. It can be restored from there for 30 days.');
          void navigate({ to: '/deliverables' });
        },
        onError: (error) => toast(messageOf(error), 'bad'),
      },
    );
  return (
    <>
      <Link to="/deliverables/$id" params={{ id }} search={{ tab: 'edit' }} className={buttonClass()}>
        <PencilLine aria-hidden className="size-4" /> Edit
      </Link>
      <Menu
        align="end"
        trigger={
          <IconButton label="More">
            <Ellipsis aria-hidden className="size-4" />
          </IconButton>
        }
      >
        <MenuItem icon={<TextCursorInput />} onSelect={() => setRenaming(true)}>
          Rename…
        </MenuItem>
        <MenuItem icon={<Trash2 />} onSelect={remove}>
          Move to the trash
        </MenuItem>
      </Menu>
      {isRenaming && <RenameDialog deliverable={deliverable} onClose={() => setRenaming(false)} />}
    </>
  );
}

function RenameDialog({ deliverable: { id, title }, onClose }: { deliverable: Deliverable; onClose: () => void }) {
  const [named, setNamed] = useState(title);
  const revise = useRevise(id);
  const navigate = useNavigate();
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title="Rename"
      description="Files are called after it. This makes a new version."
    >
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          revise.mutate(
            { title: named },
            {
              onSuccess: (made) => {
                onClose();
                void navigate({ to: '/deliverables/$id', params: { id: made.id } });
              },
              onError: (error) => toast(messageOf(error), 'bad'),
            },
          );
        }}
      >
        <label className="grid gap-1.5 text-sm font-medium">
          Title
          <input
            className="h-9 w-full rounded-md border border-line-strong bg-surface px-3 text-base"
            value={named}
            maxLength={300}
            required
            onChange={(event) => setNamed(event.target.value)}
          />
        </label>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={revise.isPending} disabled={named.trim() === ''}>
            Rename
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
