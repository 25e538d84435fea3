import { useQuery } from '@tanstack/react-query';
import { MessageCircleQuestion } from 'lucide-react';
import { firstQuestionsQuery } from '../api';

/** Questions to begin with, made from the documents; each was tried and has an answer. One press asks. */
export function FirstQuestions({ isBusy, onAsk }: { isBusy: boolean; onAsk: (question: string) => void }) {
  const found = useQuery(firstQuestionsQuery).data?.items ?? [];
  if (found.length === 0) return null;
  return (
    <section aria-label="Questions to begin with" className="mt-3">
      <p className="mb-1.5 text-sm text-ink-3">Your documents answer, for example:</p>
      <ul className="flex flex-wrap gap-1.5">
        {found.map(({ question, document_name }) => (
          <li key={question} className="max-w-full">
            <button
              type="button"
              disabled={isBusy}
              title={`From ${document_name}`}
              onClick={() => onAsk(question)}
              className="flex min-h-9 max-w-full items-center gap-2 rounded-md border border-line px-3 py-1.5 text-left text-sm text-ink-2 hover:border-line-strong hover:bg-bg hover:text-ink coarse:min-h-11"
            >
              <MessageCircleQuestion aria-hidden className="size-3.5 shrink-0 text-ink-3" />
              <span className="min-w-0 [overflow-wrap:anywhere]">{question}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
