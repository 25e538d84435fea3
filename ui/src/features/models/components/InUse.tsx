import type { ReactNode } from 'react';
import { Badge } from '@/components/Marks';
import { Notice } from '@/components/Notice';
import type { Model, ModelInUse, ModelRole, Models } from '@/lib/modelWire';
import { ORIGINS, ROLES, SHAPES } from '../describe';
import { Abilities } from './TestResult';

/** The models that answer now. */
export function InUse({ models }: { models: Models }) {
  const { thinking, small } = models;
  if (thinking === null) return null;
  return (
    <ul className="grid grid-cols-[minmax(0,1fr)] gap-4 @3xl:grid-cols-2">
      <Used of="thinking" used={thinking} models={models}>
        {thinking.shape === 'short'
          ? 'Phrases answers, and is believed where a source has its words. The rest is done without it.'
          : 'Understands the question, plans, reads, writes and judges.'}
      </Used>
      {small === null || small.name === thinking.name ? (
        <Card title={ROLES.small}>
          <p className="text-sm text-ink-2">
            {thinking.shape === 'short'
              ? 'Made without a model: one that is asked in short steps takes no notes.'
              : `${thinking.name} does this too. A smaller model would take notes and find titles faster, and for less.`}
          </p>
        </Card>
      ) : (
        <Used of="small" used={small} models={models}>
          {small.shape === 'short'
            ? 'Not asked: notes and titles are made without a model, since it did not pass the test.'
            : 'Takes notes and finds titles.'}
        </Used>
      )}
    </ul>
  );
}

interface UsedProps {
  of: ModelRole;
  used: ModelInUse;
  models: Models;
  children: ReactNode;
}

function Used({ of, used, models, children }: UsedProps) {
  const model = modelOf(models, used);
  return (
    <Card title={ROLES[of]}>
      <p className="text-md font-semibold [overflow-wrap:anywhere]">{used.name}</p>
      <p className="text-sm text-ink-2">{children}</p>
      <p className="text-xs text-ink-3 [overflow-wrap:anywhere]">
        {ORIGINS[used.origin]} · {used.base_url} · {SHAPES[used.shape]}
      </p>
      {used.problem !== null && (
        <Notice tone="warn" title="It may not answer">
          {used.problem} Until it answers, answers are made without a model.
        </Notice>
      )}
      {model?.test ? (
        <div className="mt-1">
          <Abilities abilities={model.test.abilities} label={`What ${used.name} can do`} />
        </div>
      ) : (
        !used.is_tested && (
          <p>
            <Badge tone="warn">Not tested</Badge>
          </p>
        )
      )}
    </Card>
  );
}

function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] content-start gap-1.5 rounded-lg border border-line px-4 py-3.5">
      <h3 className="text-xs font-semibold tracking-wide text-ink-3 uppercase">{title}</h3>
      {children}
    </li>
  );
}

function modelOf({ endpoints }: Models, { model_id }: ModelInUse): Model | undefined {
  return endpoints.flatMap(({ models }) => models).find(({ id }) => id === model_id);
}
