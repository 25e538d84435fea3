import { MousePointerClick } from 'lucide-react';
import { EmptyState } from '@/components/EmptyState';
import { FileMark } from '@/components/FileMark';
import { Badge } from '@/components/Marks';
import { CalculationLine, VerdictLine } from '@/components/Verdict';
import type { FigureSource, FoundCitation, Stance, TextStatement } from '@/lib/checkWire';
import { placeOf } from '@/lib/documents';

/** Where something stands in a document. */
export interface Place {
  readonly doc: string;
  readonly start: number;
  readonly end: number;
  readonly page: number | null;
}

interface StatementPanelProps {
  /** Null while none is chosen. */
  statement: TextStatement | null;
  onOpen: (place: Place) => void;
}

const STANCES: readonly { readonly stance: Stance; readonly title: string }[] = [
  { stance: 'for', title: 'Says so' },
  { stance: 'against', title: 'Says otherwise' },
  { stance: 'cited', title: 'Cited, and says neither' },
];

/** What was made of a statement, and the passages for and against it. */
export function StatementPanel({ statement, onOpen }: StatementPanelProps) {
  if (statement === null)
    return (
      <div className="p-4">
        <h2 className="mb-3 font-serif text-lg font-semibold">Statement</h2>
        <EmptyState icon={<MousePointerClick />} title="Choose a statement">
          What was found on it appears here, with the passages for and against.
        </EmptyState>
      </div>
    );
  const { number, text, verdict, judged_by, kind, reason, calculations, citations } = statement;
  return (
    <div className="h-full overflow-y-auto p-4">
      <h2 className="font-serif text-lg font-semibold">Statement {number + 1}</h2>
      <p className="mt-1.5 mb-3 text-sm text-pretty [overflow-wrap:anywhere]">{text}</p>
      <VerdictLine verdict={verdict} judgedBy={judged_by} kind={kind} />
      {reason !== '' && <p className="mt-2 text-sm text-pretty text-ink-2">{reason}</p>}
      {calculations.map(({ figure, formula, operands }) => (
        <p key={`${figure} ${formula}`} className="mt-2">
          <CalculationLine
            figure={figure}
            formula={formula}
            operands={operands}
            onOpen={(operand) => {
              const place = placeOfOperand(operand);
              if (place) onOpen(place);
            }}
          />
        </p>
      ))}
      {citations.length === 0 && reason === '' && (
        <p className="mt-4 text-sm text-ink-2">No passage was found that speaks of this.</p>
      )}
      {STANCES.map(({ stance, title }) => (
        <Passages
          key={stance}
          title={title}
          citations={citations.filter((one) => one.stance === stance)}
          onOpen={onOpen}
        />
      ))}
    </div>
  );
}

function placeOfOperand({ document_id, char_start, char_end }: FigureSource): Place | null {
  return document_id === null ? null : { doc: document_id, start: char_start, end: char_end, page: null };
}

interface PassagesProps {
  title: string;
  citations: readonly FoundCitation[];
  onOpen: (place: Place) => void;
}

function Passages({ title, citations, onOpen }: PassagesProps) {
  if (citations.length === 0) return null;
  return (
    <section aria-label={title} className="mt-4 border-t border-line pt-3">
      <h3 className="mb-1.5 text-xs font-semibold text-ink-3">{title}</h3>
      <ul className="-mx-2 grid grid-cols-[minmax(0,1fr)] gap-1">
        {citations.map((citation) => (
          <li key={citation.id}>
            <Passage citation={citation} onOpen={onOpen} />
          </li>
        ))}
      </ul>
    </section>
  );
}

const BOX = 'block w-full rounded-md px-2 py-1.5 text-left';

function Passage({ citation, onOpen }: { citation: FoundCitation; onOpen: (place: Place) => void }) {
  const { document_id: doc, char_start: start, char_end: end, page } = citation;
  if (doc === null)
    return (
      <div className={`${BOX} bg-sunken text-ink-3`}>
        <Quote citation={citation} />
      </div>
    );
  return (
    <button
      type="button"
      onClick={() => onOpen({ doc, start, end, page })}
      className={`${BOX} hover:bg-hover focus-visible:-outline-offset-2`}
    >
      <Quote citation={citation} />
    </button>
  );
}

function Quote({ citation }: { citation: FoundCitation }) {
  const isGone = citation.document_id === null;
  return (
    <>
      <span className="flex items-center gap-2 text-sm">
        <FileMark mimeType={citation.mime_type} />
        <bdi className="min-w-0 flex-1 truncate font-medium">{citation.file_name}</bdi>
        {isGone && <Badge>Deleted</Badge>}
        <span className="shrink-0 text-xs text-ink-3">{placeOf({ ...citation, section: null })}</span>
      </span>
      <span className="mt-1 line-clamp-6 font-serif text-sm leading-relaxed text-pretty [overflow-wrap:anywhere]">
        {citation.quote === '' ? (
          <span className="text-ink-2">{isGone ? 'Its text is no longer kept.' : 'You may not read this source.'}</span>
        ) : (
          <span className="evidence">{citation.quote.replaceAll(/\s+/g, ' ')}</span>
        )}
      </span>
      {citation.section !== null && (
        <span className="mt-0.5 block truncate text-xs text-ink-3">{citation.section}</span>
      )}
    </>
  );
}
