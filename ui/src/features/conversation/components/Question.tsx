import { Pencil } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { Button, IconButton } from '@/components/Button';
import { Notice } from '@/components/Notice';
import { messageOf } from '@/lib/problem';
import { questionPlace, type Turn } from '../tree';
import { BranchWalker } from './BranchWalker';
import { ContextPills } from './ContextPills';

interface QuestionProps {
  turn: Turn;
  /** Left out where the reader may not ask. */
  onEdit?: ((content: string) => Promise<unknown>) | undefined;
  onWalk: (id: string) => void;
}

/** What was asked, and of what. Another wording begins a branch beside it. */
export function Question({ turn, onEdit, onWalk }: QuestionProps) {
  const [isEdited, setEdited] = useState(false);
  const pencil = useRef<HTMLButtonElement>(null);
  const { content, context_references: references } = turn.question;
  function close() {
    setEdited(false);
    // The button is drawn again first.
    requestAnimationFrame(() => pencil.current?.focus());
  }
  return (
    <header className="group ml-auto w-fit max-w-[85%] min-w-0">
      {isEdited && onEdit ? (
        <Editor content={content} onSend={onEdit} onClose={close} />
      ) : (
        <h2 className="rounded-lg bg-sunken px-4 py-2.5 text-[15px] leading-relaxed font-normal whitespace-pre-wrap [overflow-wrap:anywhere]">
          <span className="sr-only">Question: </span>
          {content}
        </h2>
      )}
      <div className="mt-1 flex min-h-8 flex-wrap items-center justify-end gap-1.5">
        <ContextPills references={references} />
        <BranchWalker of="question" place={questionPlace(turn)} onWalk={onWalk} />
        {onEdit && !isEdited && (
          <IconButton ref={pencil} label="Edit the question" onClick={() => setEdited(true)}>
            <Pencil aria-hidden className="size-3.5" />
          </IconButton>
        )}
      </div>
    </header>
  );
}

interface EditorProps {
  content: string;
  onSend: (content: string) => Promise<unknown>;
  onClose: () => void;
}

function Editor({ content, onSend, onClose }: EditorProps) {
  const [text, setText] = useState(content);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);

  async function send() {
    if (text.trim() === '' || busy) return;
    setBusy(true);
    try {
      await onSend(text.trim());
      onClose();
    } catch (error) {
      setRefusal(messageOf(error));
      setBusy(false);
    }
  }
  function press(event: KeyboardEvent) {
    if (event.key === 'Escape') onClose();
    else if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) void send();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <div className="grid w-[min(36rem,70vw)] gap-2">
      {refusal !== null && <Notice tone="bad">{refusal}</Notice>}
      <textarea
        ref={(field) => field?.focus()}
        aria-label="The question in other words"
        value={text}
        rows={3}
        maxLength={20_000}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={press}
        className="field-sizing-content max-h-60 resize-none rounded-lg border border-line-strong bg-surface px-3.5 py-2.5 text-[15px] leading-relaxed"
      />
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" busy={busy} onClick={() => void send()}>
          Ask anew
        </Button>
      </div>
    </div>
  );
}
