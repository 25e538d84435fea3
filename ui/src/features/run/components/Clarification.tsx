import { CircleHelp } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from '@/components/Button';
import { Notice } from '@/components/Notice';
import { messageOf } from '@/lib/problem';

interface ClarificationProps {
  question: string;
  onAnswer: (text: string) => Promise<unknown>;
}

/** What a run asks back before it goes on, answered in place. */
export function Clarification({ question, onAnswer }: ClarificationProps) {
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const id = useId();
  async function send() {
    if (text.trim() === '' || busy) return;
    setBusy(true);
    try {
      await onAnswer(text.trim());
    } catch (error) {
      setRefusal(messageOf(error));
      setBusy(false);
    }
  }
  return (
    <form
      aria-label="Clarification"
      className="my-3 grid gap-2 rounded-lg border border-line bg-accent-soft p-3.5"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <label htmlFor={id} className="flex items-start gap-2 text-base font-medium text-pretty">
        <CircleHelp aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
        {question}
      </label>
      {refusal !== null && <Notice tone="bad">{refusal}</Notice>}
      <div className="flex gap-2">
        <input
          id={id}
          value={text}
          autoComplete="off"
          onChange={(event) => setText(event.target.value)}
          className="h-9 min-w-0 flex-1 rounded-md border border-line-strong bg-surface px-3 text-base"
        />
        <Button type="submit" look="primary" busy={busy}>
          Answer
        </Button>
      </div>
    </form>
  );
}
