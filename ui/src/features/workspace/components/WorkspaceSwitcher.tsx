import { ChevronsUpDown, Plus } from 'lucide-react';
import { useState } from 'react';
import { Avatar } from '@/components/Marks';
import { Menu, MenuChoice, MenuItem, MenuLine } from '@/components/Menu';
import { toast } from '@/lib/announce';
import { titleCase } from '@/lib/format';
import { messageOf } from '@/lib/problem';
import type { Me } from '@/lib/wire';
import { useSwitchWorkspace } from '../api';
import { CreateWorkspaceDialog } from './CreateWorkspaceDialog';

interface WorkspaceSwitcherProps {
  me: Me;
  compact: boolean;
  onSwitched: () => void;
}

/** Which workspace this is, the others, and the way to a new one. */
export function WorkspaceSwitcher({ me, compact, onSwitched }: WorkspaceSwitcherProps) {
  const switching = useSwitchWorkspace();
  const [creating, setCreating] = useState(false);

  async function go(id: string, name: string) {
    if (id === me.workspace.id) return;
    try {
      await switching.mutateAsync(id);
      toast(`You are in ${name} now.`);
      onSwitched();
    } catch (error) {
      toast(messageOf(error), 'bad');
    }
  }

  return (
    <>
      <Menu trigger={<SwitcherButton name={me.workspace.name} role={me.role} compact={compact} />}>
        <MenuChoice
          label="Workspaces"
          value={me.workspace.id}
          onChange={(id) => void go(id, me.workspaces.find((one) => one.workspace_id === id)?.name ?? 'the workspace')}
          options={me.workspaces.map((one) => ({ value: one.workspace_id, text: one.name, note: titleCase(one.role) }))}
        />
        <MenuLine />
        <MenuItem icon={<Plus aria-hidden />} onSelect={() => setCreating(true)}>
          New workspace
        </MenuItem>
      </Menu>
      <CreateWorkspaceDialog
        open={creating}
        onOpenChange={setCreating}
        onCreated={(workspace) => go(workspace.id, workspace.name)}
      />
    </>
  );
}

interface SwitcherButtonProps {
  name: string;
  role: string;
  compact: boolean;
}

function SwitcherButton({ name, role, compact, ...rest }: SwitcherButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      title={compact ? name : undefined}
      className="flex w-full min-w-0 items-center gap-2.5 rounded-md p-1.5 text-left hover:bg-hover coarse:min-h-11"
    >
      <Avatar name={name} square />
      {compact && <span className="sr-only">{name}</span>}
      {!compact && (
        <>
          <span className="min-w-0 flex-1 leading-tight">
            <span className="block truncate font-semibold">{name}</span>
            <span className="block text-xs text-ink-3">{titleCase(role)}</span>
          </span>
          <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-ink-3" />
        </>
      )}
      <span className="sr-only">Switch workspace</span>
    </button>
  );
}
