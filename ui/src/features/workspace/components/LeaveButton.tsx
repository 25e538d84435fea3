import { LogOut } from 'lucide-react';
import { Button } from '@/components/Button';
import { ConfirmDialog } from '@/components/ConfirmDialog';
import type { Me } from '@/lib/wire';
import { leaveWorkspace } from '../api';

export function LeaveButton({ me }: { me: Me }) {
  return (
    <ConfirmDialog
      trigger={
        <Button look="danger">
          <LogOut aria-hidden className="size-4" />
          Leave workspace
        </Button>
      }
      title={
        <>
          Leave <bdi>{me.workspace.name}</bdi>?
        </>
      }
      consequence="You lose access at once, and your sessions and API keys here end. Someone has to invite you to come back."
      action="Leave workspace"
      onConfirm={() => leaveWorkspace(me.user.id)}
    />
  );
}
