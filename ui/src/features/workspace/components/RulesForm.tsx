import { useQuery } from '@tanstack/react-query';
import { TextField } from '@/components/Field';
import { Form, type Messages, Submit, type Values } from '@/components/Form';
import { Skeleton } from '@/components/Loaded';
import { Notice } from '@/components/Notice';
import { toast } from '@/lib/announce';
import { messageOf } from '@/lib/problem';
import type { Workspace } from '@/lib/wire';
import { useChangeRules, workspaceQuery } from '../api';

export function checkRules({ run_budget_cents = '' }: Values): Messages {
  const cents = Number(run_budget_cents);
  return run_budget_cents === '' || (Number.isFinite(cents) && cents >= 0)
    ? {}
    : { run_budget_cents: 'Enter a number of cents, or nothing.' };
}

export function RulesForm() {
  const query = useQuery(workspaceQuery);
  if (query.isPending) return <Skeleton rows={3} />;
  if (query.data === undefined) return <Notice tone="bad">{messageOf(query.error)}</Notice>;
  return <Rules key={query.data.version} workspace={query.data} />;
}

function Rules({ workspace }: { workspace: Workspace }) {
  const change = useChangeRules();
  return (
    <div className="max-w-md">
      <Form
        label="Rules of the workspace"
        validate={checkRules}
        onSubmit={async ({ keeps_evidence, requires_review, run_budget_cents = '' }) => {
          const rules = {
            keeps_evidence: keeps_evidence !== undefined,
            requires_review: requires_review !== undefined,
            run_budget_cents: run_budget_cents === '' ? null : run_budget_cents,
          };
          await change.mutateAsync({ rules, version: workspace.version });
          toast('The rules are saved.');
        }}
      >
        <Choice
          name="keeps_evidence"
          isChosen={workspace.keeps_evidence}
          label="Keep what answers cite of deleted files"
          note="So that answers can still be checked. Without it, cited words go with their file."
        />
        <Choice
          name="requires_review"
          isChosen={workspace.requires_review}
          label="Let nothing out before its citations are accepted"
          note="Reports, slides, documents and sites can be downloaded once each citation was accepted by a person."
        />
        <TextField
          name="run_budget_cents"
          label="What one answer may cost, in US cents"
          defaultValue={workspace.run_budget_cents ?? ''}
          inputMode="decimal"
          autoComplete="off"
          hint="Empty for what the installation allows."
        />
        <div>
          <Submit>Save rules</Submit>
        </div>
      </Form>
    </div>
  );
}

interface ChoiceProps {
  name: string;
  isChosen: boolean;
  label: string;
  note: string;
}

function Choice({ name, isChosen, label, note }: ChoiceProps) {
  return (
    <label className="flex items-start gap-2 text-sm text-ink coarse:min-h-11">
      <input type="checkbox" name={name} defaultChecked={isChosen} className="mt-0.5 size-4 accent-accent" />
      <span>
        {label}
        <span className="block text-xs text-ink-3">{note}</span>
      </span>
    </label>
  );
}
