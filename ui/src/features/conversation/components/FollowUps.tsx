import { CornerDownRight } from 'lucide-react';

/** Questions that come next; one press asks. */
export function FollowUps({ questions, onAsk }: { questions: readonly string[]; onAsk: (question: string) => void }) {
  if (questions.length === 0) return null;
  return (
    <section aria-label="Questions that come next" className="mt-5">
      <ul className="grid gap-1.5">
        {questions.map((question) => (
          <li key={question}>
            <button
              type="button"
              onClick={() => onAsk(question)}
              className="flex min-h-9 max-w-full items-center gap-2 rounded-md border border-line px-3 py-1.5 text-left text-sm text-ink-2 hover:border-line-strong hover:bg-bg hover:text-ink coarse:min-h-11"
            >
              <CornerDownRight aria-hidden className="size-3.5 shrink-0 text-ink-3" />
              <span className="min-w-0 [overflow-wrap:anywhere]">{question}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
