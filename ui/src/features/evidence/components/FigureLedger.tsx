import { useQuery } from '@tanstack/react-query';
import { Badge } from '@/components/Marks';
import type { Citation } from '@/lib/conversationWire';
import { figuresQuery } from '../api';
import type { Marks } from '../marks';
import { Calculations } from './StatementNote';

const STATUS = {
  read: { tone: 'ok', word: 'Read' },
  calculated: { tone: 'ok', word: 'Calculated' },
  missing: { tone: 'bad', word: 'In no quote' },
  uncited: { tone: 'warn', word: 'Without a citation' },
} as const;

interface FigureLedgerProps {
  messageId: string;
  marks: Marks;
  onOpen: (citation: Citation) => void;
}

/** Every figure of an answer, with where it was read or how it was calculated. */
export function FigureLedger({ messageId, marks, onOpen }: FigureLedgerProps) {
  const figures = useQuery(figuresQuery(messageId)).data?.items ?? [];
  if (figures.length === 0) return null;
  const numbers = new Map(marks.flatMap((mark) => (mark?.citation ? [[mark.citation.id, mark] as const] : [])));
  const sourcesOf = (ids: readonly string[]) => [
    ...new Set(
      ids
        .map((id) => numbers.get(id))
        .flatMap((mark) => (mark ? [`source ${mark.number}${mark.page === null ? '' : `, page ${mark.page}`}`] : [])),
    ),
  ];
  return (
    <section aria-label="Figures" className="grid gap-2 text-sm text-ink-2">
      <h3 className="text-xs font-semibold text-ink-3">Figures</h3>
      <ul className="grid gap-1">
        {figures.map(({ written, sentence_start, status, calculation, sources }, position) => (
          <li key={`${sentence_start} ${position}`} className="flex flex-wrap items-baseline gap-x-2.5">
            <span className="font-medium text-ink tabular-nums">{written}</span>
            <Badge tone={STATUS[status].tone}>{STATUS[status].word}</Badge>
            <span className="min-w-0 text-xs text-ink-3">
              {sourcesOf(sources.map(({ citation_id }) => citation_id)).join(' · ')}
            </span>
            {calculation !== '' && (
              <span className="basis-full">
                <Calculations
                  calculations={[{ figure: written, formula: calculation, operands: sources }]}
                  marks={marks}
                  onOpen={({ citation }) => citation && onOpen(citation)}
                />
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
