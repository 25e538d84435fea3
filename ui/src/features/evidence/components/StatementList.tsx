import { Loaded } from '@/components/Loaded';
import { VerdictLine } from '@/components/Verdict';
import type { Statement } from '@/lib/checkWire';
import type { Citation } from '@/lib/conversationWire';
import { useStatements } from '../api';
import type { Marks } from '../marks';
import { showStatement } from '../showStatement';
import { numbersOf } from '../statements';
import { Calculations } from './StatementNote';

interface StatementListProps {
  messageId: string;
  marks: Marks;
  onOpen: (citation: Citation) => void;
}

/** Every statement of an answer with the verdict on it, also those that cite nothing. */
export function StatementList({ messageId, marks, onOpen }: StatementListProps) {
  const query = useStatements(messageId);
  return (
    <section aria-label="Statements" className="mt-5 border-t border-line pt-3.5">
      <h3 className="mb-2 text-xs font-semibold text-ink-3">Statements</h3>
      <Loaded
        query={query}
        items={query.data?.items ?? []}
        empty={<p className="text-sm text-ink-2">This answer states nothing that could be checked.</p>}
      >
        {(statements) => (
          <ol className="grid grid-cols-[minmax(0,1fr)] gap-1">
            {statements.map((statement) => (
              <Row
                key={statement.number}
                statement={statement}
                marks={marks}
                onShow={() => showStatement(messageId, statement, marks)}
                onOpen={onOpen}
              />
            ))}
          </ol>
        )}
      </Loaded>
    </section>
  );
}

interface RowProps {
  statement: Statement;
  marks: Marks;
  onShow: () => void;
  onOpen: (citation: Citation) => void;
}

function Row({ statement, marks, onShow, onOpen }: RowProps) {
  const { text, verdict, judged_by, kind, reason, carried_by, calculations } = statement;
  return (
    <li>
      <button
        type="button"
        onClick={onShow}
        className="block w-full rounded-md px-1.5 py-1.5 text-left hover:bg-hover focus-visible:-outline-offset-2"
      >
        <span className="line-clamp-3 text-sm text-pretty [overflow-wrap:anywhere]">{text}</span>
        <VerdictLine verdict={verdict} judgedBy={judged_by} kind={kind} note={numbersOf(carried_by, marks)} />
        {reason !== '' && <span className="mt-0.5 block text-xs text-pretty text-ink-2">{reason}</span>}
      </button>
      {calculations.length > 0 && (
        <p className="grid gap-0.5 px-1.5 pb-1">
          <Calculations
            calculations={calculations}
            marks={marks}
            onOpen={({ citation }) => citation && onOpen(citation)}
          />
        </p>
      )}
    </li>
  );
}
