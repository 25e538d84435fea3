import { Badge } from '@/components/Marks';
import { bodySchemaOf, type Contract, type Entry, type Field, fieldsOf, kindOf, resolve } from './contract';

const TONES: Record<string, 'accent' | 'ok' | 'warn' | 'bad'> = {
  GET: 'accent',
  POST: 'ok',
  PATCH: 'warn',
  DELETE: 'bad',
};

export function OperationCard({ entry, contract }: { entry: Entry; contract: Contract }) {
  const { method, path, operation } = entry;
  const body = bodySchemaOf(operation.requestBody);
  const [status, answer] = Object.entries(operation.responses).find(([code]) => code.startsWith('2')) ?? [
    '',
    undefined,
  ];
  const answerSchema = bodySchemaOf(answer);
  const parameters = (operation.parameters ?? []).map((one) => ({
    name: one.name,
    kind: `${one.in}: ${kindOf(contract, one.schema)}`,
    required: one.required ?? false,
    text: one.description ?? '',
  }));
  const example = resolve(contract, body)?.examples?.[0];
  return (
    <article id={operation.operationId} className="scroll-mt-4 rounded-lg border border-line bg-surface p-4">
      <h3 className="flex flex-wrap items-center gap-2.5">
        <Badge tone={TONES[method] ?? 'accent'}>{method}</Badge>
        <code className="font-mono text-sm font-semibold break-all">{path}</code>
        {operation.security === undefined && <Badge>open to all</Badge>}
      </h3>
      <p className="mt-1.5 text-ink-2">{operation.description}</p>
      <Fields title="Parameters" fields={parameters} />
      <Fields title="Request" fields={fieldsOf(contract, body)} />
      {example !== undefined && (
        <pre className="mt-2 overflow-x-auto rounded-md bg-sunken p-3 font-mono text-xs">
          {JSON.stringify(example, null, 2)}
        </pre>
      )}
      <p className="mt-3 text-sm">
        <span className="font-medium">Answer {status}</span>{' '}
        <span className="text-ink-2">{answerSchema ? kindOf(contract, answerSchema) : 'without a body'}</span>
      </p>
      <Fields fields={fieldsOf(contract, answerSchema).map((field) => ({ ...field, required: false }))} />
    </article>
  );
}

function Fields({ title, fields }: { title?: string; fields: readonly Field[] }) {
  if (fields.length === 0) return null;
  return (
    <div className="mt-3">
      {title !== undefined && <p className="text-sm font-medium">{title}</p>}
      <dl className="mt-1 divide-y divide-line text-sm">
        {fields.map((field) => (
          <div key={field.name} className="grid gap-x-4 py-1 sm:grid-cols-[11rem_minmax(0,1fr)]">
            <dt className="font-mono text-xs leading-5">
              {field.name}
              {field.required && <span className="text-bad"> required</span>}
            </dt>
            <dd className="text-ink-2 [overflow-wrap:anywhere]">
              <span className="text-ink-3">{field.kind}</span> {field.text}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
