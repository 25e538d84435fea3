import { Button } from '@/components/Button';
import { Dialog, DialogActions } from '@/components/Dialog';
import { TextField } from '@/components/Field';
import { Form, Submit } from '@/components/Form';
import type { Workspace } from '@/lib/wire';
import { useCreateWorkspace } from '../api';

interface CreateWorkspaceDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onCreated: (workspace: Workspace) => Promise<void>;
}

export function CreateWorkspaceDialog({ open, onOpenChange, onCreated }: CreateWorkspaceDialogProps) {
  const create = useCreateWorkspace();
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="New workspace"
      description="Walled off from your other workspaces. You will be its owner."
    >
      <Form
        label="New workspace"
        validate={({ name = '' }) => (name.trim() === '' ? { name: 'Give the workspace a name.' } : {})}
        onSubmit={async ({ name = '' }) => {
          const workspace = await create.mutateAsync(name.trim());
          onOpenChange(false);
          await onCreated(workspace);
        }}
      >
        <TextField name="name" label="Name" autoComplete="off" maxLength={120} />
        <DialogActions>
          <Button onClick={() => onOpenChange(false)}>Cancel</Button>
          <Submit>Create workspace</Submit>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
