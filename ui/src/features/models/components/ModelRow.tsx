import { useState } from 'react';
import { Button } from '@/components/Button';
import { ConfirmDialog } from '@/components/ConfirmDialog';
import { Badge } from '@/components/Marks';
import { toast } from '@/lib/announce';
import type { Model } from '@/lib/modelWire';
import { messageOf } from '@/lib/problem';
import { useChangeModel, useTestModel } from '../api';
import { isTesting, limitsOf, priceOf, ROLES } from '../describe';
import { isTestFailed } from '../draft';
import { EditModelDialog } from './EditModelDialog';
import { ModelMenu } from './ModelMenu';
import { TestResult } from './TestResult';

interface ModelRowProps {
  model: Model;
  mayChange: boolean;
}

/** A model of the workspace: what it is used for, what it may cost, and how its test went. */
export function ModelRow({ model, mayChange }: ModelRowProps) {
  return (
    <li className="px-4 py-3">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-64">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span className="font-medium [overflow-wrap:anywhere]">{model.name}</span>
            {model.role !== null && <Badge tone="accent">{ROLES[model.role]}</Badge>}
          </p>
          <p className="mt-0.5 text-xs text-ink-3">
            {limitsOf(model)} · {priceOf(model)}
          </p>
        </div>
        {mayChange && <ModelActs model={model} />}
      </div>
      {model.test === null ? (
        <p className="mt-2 text-sm text-ink-3">Not tested yet.</p>
      ) : (
        <TestResult test={model.test} name={model.name} />
      )}
    </li>
  );
}

function ModelActs({ model }: { model: Model }) {
  const { id, name, version, role } = model;
  const change = useChangeModel();
  const test = useTestModel();
  const [isEditing, setEditing] = useState(false);
  const [refused, setRefused] = useState<{ role: Model['role']; why: string } | null>(null);
  const choose = (next: Model['role'], insist: boolean) =>
    change
      .mutateAsync({ id, role: next, expected_version: version, ...(insist && { even_if_failed: true }) })
      .then(() =>
        toast(next === null ? `${name} is not used now.` : `${name} is used for ${ROLES[next].toLowerCase()}.`),
      );
  const use = (next: Model['role']) =>
    choose(next, false).catch((error: unknown) =>
      isTestFailed(error) ? setRefused({ role: next, why: error.message }) : tell(error),
    );
  return (
    <div className="flex flex-wrap items-center gap-2">
      {role !== 'thinking' && (
        <Button busy={change.isPending} aria-label={`Use for thinking: ${name}`} onClick={() => void use('thinking')}>
          Use for thinking
        </Button>
      )}
      <Button
        busy={test.isPending || isTesting(model.test)}
        aria-label={`Test ${name}`}
        onClick={() => void test.mutateAsync(id).catch(tell)}
      >
        Test
      </Button>
      <ModelMenu model={model} onUse={(next) => void use(next)} onEdit={() => setEditing(true)} />
      {isEditing && <EditModelDialog model={model} onClose={() => setEditing(false)} />}
      {refused !== null && (
        <ConfirmDialog
          onClose={() => setRefused(null)}
          title={
            <>
              Use <bdi>{name}</bdi>, which failed its test?
            </>
          }
          consequence={`${refused.why} Until it answers, answers are made without a model.`}
          action="Use it all the same"
          onConfirm={() => choose(refused.role, true)}
        />
      )}
    </div>
  );
}

function tell(error: unknown): void {
  toast(messageOf(error), 'bad');
}
