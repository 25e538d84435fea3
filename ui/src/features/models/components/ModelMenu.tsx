import { Ellipsis, NotebookPen, PencilLine, Trash2, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '@/components/Button';
import { ConfirmDialog } from '@/components/ConfirmDialog';
import { Menu, MenuItem, MenuLine } from '@/components/Menu';
import { toast } from '@/lib/announce';
import type { Model } from '@/lib/modelWire';
import { useRemoveModel } from '../api';

interface ModelMenuProps {
  model: Model;
  onUse: (role: Model['role']) => void;
  onEdit: () => void;
}

/** What is done to a model less often. */
export function ModelMenu({ model: { id, name, role }, onUse, onEdit }: ModelMenuProps) {
  const remove = useRemoveModel();
  const [isRemoving, setRemoving] = useState(false);
  return (
    <>
      <Menu
        align="end"
        trigger={
          <IconButton label={`More for ${name}`}>
            <Ellipsis aria-hidden className="size-4" />
          </IconButton>
        }
      >
        {role !== 'small' && (
          <MenuItem icon={<NotebookPen />} onSelect={() => onUse('small')}>
            Use for notes and titles
          </MenuItem>
        )}
        {role !== null && (
          <MenuItem icon={<Undo2 />} onSelect={() => onUse(null)}>
            Stop using it
          </MenuItem>
        )}
        <MenuItem icon={<PencilLine />} onSelect={onEdit}>
          Limits and prices
        </MenuItem>
        <MenuLine />
        <MenuItem icon={<Trash2 />} onSelect={() => setRemoving(true)}>
          Remove
        </MenuItem>
      </Menu>
      {isRemoving && (
        <ConfirmDialog
          onClose={() => setRemoving(false)}
          title={
            <>
              Remove “<bdi>{name}</bdi>”?
            </>
          }
          consequence={
            role === null
              ? 'Its limits, prices and test are forgotten. Answers it wrote stay.'
              : 'It is in use: what it did is then done by another model, or without one. Answers it wrote stay.'
          }
          action="Remove model"
          onConfirm={async () => {
            await remove.mutateAsync(id);
            toast(`${name} is removed.`);
          }}
        />
      )}
    </>
  );
}
