import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '@/components/Button';
import { TextField } from '@/components/Field';
import { Form, Submit } from '@/components/Form';
import { Skeleton } from '@/components/Loaded';
import { Notice } from '@/components/Notice';
import { toast } from '@/lib/announce';
import { ApiProblem, messageOf } from '@/lib/problem';
import type { Workspace } from '@/lib/wire';
import { useRenameWorkspace, workspaceQuery } from '../api';

export function RenameForm() {
  const query = useQuery(workspaceQuery);
  if (query.isPending) return <Skeleton rows={1} />;
  if (query.data === undefined) return <Notice tone="bad">{messageOf(query.error)}</Notice>;
  return <NameOf key={query.data.version} workspace={query.data} />;
}

/** Saves only over the version it was opened with; if someone was faster, says so and offers to look again. */
function NameOf({ workspace }: { workspace: Workspace }) {
  const queries = useQueryClient();
  const rename = useRenameWorkspace();
  const [stale, setStale] = useState<string | null>(null);

  async function save(name: string) {
    try {
      await rename.mutateAsync({ name, version: workspace.version });
      toast('The workspace is renamed.');
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.status !== 412) throw error;
      setStale(error.message);
    }
  }

  return (
    <div className="grid max-w-md gap-4">
      {stale !== null && (
        <Notice
          tone="warn"
          action={<Button onClick={() => void queries.invalidateQueries(workspaceQuery)}>Show their version</Button>}
        >
          {stale}
        </Notice>
      )}
      <Form
        label="Name of the workspace"
        validate={({ name = '' }) => (name.trim() === '' ? { name: 'Give the workspace a name.' } : {})}
        onSubmit={({ name = '' }) => save(name.trim())}
      >
        <TextField
          name="name"
          label="Workspace name"
          defaultValue={workspace.name}
          maxLength={120}
          autoComplete="off"
        />
        <div>
          <Submit>Rename</Submit>
        </div>
      </Form>
    </div>
  );
}
