import { ArrowUp, Square } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, type ReactNode, type Ref, useState } from 'react';
import { Button } from '@/components/Button';
import { Notice } from '@/components/Notice';
import type { ContextReference } from '@/lib/conversationWire';
import { messageOf } from '@/lib/problem';
import { keepDraft, readDraft } from '../drafts';
import { sameReference } from '../references';
import { ContextPicker } from './ContextPicker';
import { ContextPills } from './ContextPills';

interface ComposerProps {
  /** Where the question will stand: drafts are kept by it. */
  place: string;
  onSend: (content: string, references: readonly ContextReference[]) => Promise<unknown>;
  /** Given while an answer is being written. */
  onStop?: (() => void) | undefined;
  /** What is open beside: it can be put in focus at once. */
  beside?: ContextReference | null;
  focus?: readonly ContextReference[];
  placeholder?: string;
  /** Where one chooses what the question is to become. */
  children?: ReactNode;
  ref?: Ref<HTMLTextAreaElement>;
}

const NONE: readonly ContextReference[] = [];

/** Where one asks. Enter sends, Shift and Enter begins a line; what was put in focus stays for the next question. */
export function Composer({
  place,
  onSend,
  onStop,
  beside = null,
  focus = NONE,
  placeholder = 'Ask about your documents…',
  children,
  ref,
}: ComposerProps) {
  const [text, setText] = useState(() => readDraft(place));
  const [references, setReferences] = useState(focus);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);

  function write(next: string) {
    setText(next);
    keepDraft(place, next);
  }
  const add = (reference: ContextReference) =>
    setReferences((now) => (now.some((one) => sameReference(one, reference)) ? now : [...now, reference]));

  async function send(event?: FormEvent) {
    event?.preventDefault();
    const content = text.trim();
    if (content === '' || busy || onStop) return;
    setBusy(true);
    setRefusal(null);
    try {
      await onSend(content, references);
      write('');
    } catch (error) {
      setRefusal(messageOf(error));
    } finally {
      setBusy(false);
    }
  }
  function press(event: KeyboardEvent) {
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) void send(event);
  }

  const offer = beside !== null && !references.some((one) => sameReference(one, beside)) ? beside : null;
  return (
    <form
      aria-label="Ask"
      onSubmit={(event) => void send(event)}
      className="rounded-lg border border-line-strong bg-surface focus-within:border-accent"
    >
      {refusal !== null && (
        <div className="p-2 pb-0">
          <Notice tone="bad">{refusal}</Notice>
        </div>
      )}
      <textarea
        ref={ref}
        aria-label="Your question"
        data-composer
        placeholder={placeholder}
        value={text}
        rows={2}
        maxLength={20_000}
        onChange={(event) => write(event.target.value)}
        onKeyDown={press}
        className="field-sizing-content block max-h-60 min-h-16 w-full resize-none bg-transparent px-3.5 pt-3 pb-1 text-md leading-relaxed focus:outline-none"
      />
      <div className="flex items-end gap-2 px-2 pb-2">
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-1.5">
          {children}
          <ContextPicker onPick={add} />
          <ContextPills
            references={references}
            offer={offer}
            onAdd={add}
            onRemove={(gone) => setReferences((now) => now.filter((one) => !sameReference(one, gone)))}
          />
        </div>
        {onStop ? (
          <Button onClick={onStop}>
            <Square aria-hidden className="size-3.5 fill-current" /> Stop
          </Button>
        ) : (
          <Button type="submit" look="primary" busy={busy} disabled={text.trim() === ''}>
            {!busy && <ArrowUp aria-hidden className="size-4" />} Ask
          </Button>
        )}
      </div>
    </form>
  );
}
