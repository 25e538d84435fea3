import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ArrowUp, Check, CircleAlert, Trash2 } from 'lucide-react';
import { useEffect, useId, useMemo, useState } from 'react';
import { Button, IconButton } from '@/components/Button';
import { toast } from '@/lib/announce';
import type { Content } from '@/lib/deliverableWire';
import { messageOf } from '@/lib/problem';
import { checkedTextQuery, useRevise } from '../api';
import { chapterUp, type EditBlock, editBlocksOf, gmlOf, namesOf, wholeOf, without } from '../editing';

/** So long nobody types before what was written is checked. */
const PAUSE_MS = 800;
const FIELD =
  'w-full rounded-md border border-line-strong bg-surface px-3 py-2 text-base text-ink hover:border-ink-2 focus-visible:outline-offset-0';

interface DeliverableEditorProps {
  id: string;
  content: Content;
}

/** Edits a report by hand, block by block. Each sentence is checked when typing stops; saving makes a new version. */
export function DeliverableEditor({ id, content }: DeliverableEditorProps) {
  const names = useMemo(() => namesOf(content.gml), [content.gml]);
  const [title, setTitle] = useState(content.title);
  const [blocks, setBlocks] = useState(() => editBlocksOf(content.gml, names));
  const revise = useRevise(id);
  const navigate = useNavigate();
  const leave = (to: string) => void navigate({ to: '/deliverables/$id', params: { id: to } });
  const change = (position: number, text: string) =>
    setBlocks(blocks.map((block, at) => (at === position ? { ...block, text } : block)));
  const save = () =>
    revise.mutate(
      { gml: wholeOf(title, blocks, names) },
      { onSuccess: (made) => leave(made.id), onError: (error) => toast(messageOf(error), 'bad') },
    );
  return (
    <form
      aria-label="Edit"
      className="grid grid-cols-[minmax(0,1fr)] gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <p className="text-sm text-ink-2">
        A number in brackets is a citation and stays one where you leave or move it. Each sentence is checked against
        its source when you stop typing; saving makes a new version.
      </p>
      <label className="grid gap-1.5 text-sm font-medium">
        Title
        <input className={FIELD} value={title} required onChange={(event) => setTitle(event.target.value)} />
      </label>
      {blocks.map((block, position) => (
        <BlockField
          key={block.key}
          id={id}
          block={block}
          names={names}
          onText={(text) => change(position, text)}
          onUp={() => setBlocks(chapterUp(blocks, position) ?? blocks)}
          onRemove={() => setBlocks(without(blocks, position))}
        />
      ))}
      <div className="sticky bottom-0 flex justify-end gap-2 border-t border-line bg-surface py-3">
        <Button onClick={() => leave(id)}>Cancel</Button>
        <Button type="submit" look="primary" busy={revise.isPending} disabled={title.trim() === ''}>
          Save as a new version
        </Button>
      </div>
    </form>
  );
}

interface BlockFieldProps {
  id: string;
  block: EditBlock;
  names: readonly string[];
  onText: (text: string) => void;
  onUp: () => void;
  onRemove: () => void;
}

function BlockField({ id, block, names, onText, onUp, onRemove }: BlockFieldProps) {
  const field = useId();
  const { label, text, level } = block;
  if (label === null) return null;
  const isChapter = level === 2;
  return (
    <div className="grid gap-1.5">
      <div className="flex items-center gap-1">
        <label htmlFor={field} className="flex-1 text-xs font-medium text-ink-3">
          {label}
        </label>
        {isChapter && (
          <IconButton label={`Move the chapter “${text ?? ''}” up`} onClick={onUp}>
            <ArrowUp aria-hidden className="size-4" />
          </IconButton>
        )}
        <IconButton
          label={isChapter ? `Leave out the chapter “${text ?? ''}”` : `Leave out: ${label}`}
          onClick={onRemove}
        >
          <Trash2 aria-hidden className="size-4" />
        </IconButton>
      </div>
      {text === null ? (
        <p id={field} className="rounded-md border border-dashed border-line px-3 py-2 text-sm text-ink-3">
          {label} as it is
        </p>
      ) : (
        <>
          <textarea
            id={field}
            className={`${FIELD} resize-y ${isChapter ? 'font-serif text-lg font-semibold' : ''}`}
            rows={rowsOf(text)}
            value={text}
            onChange={(event) => onText(event.target.value)}
          />
          <BlockCheck id={id} block={block} names={names} />
        </>
      )}
    </div>
  );
}

type BlockCheckProps = Pick<BlockFieldProps, 'id' | 'block' | 'names'>;

/** What the check says of a block that was changed, once nobody types any more. */
function BlockCheck({ id, block, names }: BlockCheckProps) {
  const gml = gmlOf(block, names);
  const rested = useRested(gml);
  const isChanged = rested !== block.source && rested !== '';
  const query = useQuery({ ...checkedTextQuery(id, rested), enabled: isChanged });
  if (!isChanged || rested !== gml) return null;
  if (query.data === undefined)
    return <p className="text-xs text-ink-3">{query.error === null ? 'Checking…' : messageOf(query.error)}</p>;
  return (
    <ul aria-label="What the check says" className="grid gap-1 text-xs">
      {query.data.length === 0 && <li className="text-ink-3">It cites nothing.</li>}
      {query.data.map((sentence, position) => (
        <li key={position} className={sentence.check === 'verified' ? 'text-ok' : 'text-bad'}>
          {sentence.check === 'verified' ? (
            <Check aria-hidden className="mr-1 inline size-3.5" />
          ) : (
            <CircleAlert aria-hidden className="mr-1 inline size-3.5" />
          )}
          “{sentence.text}” {sentence.check === 'verified' ? 'Its source says this.' : sentence.reason}
        </li>
      ))}
    </ul>
  );
}

function useRested(value: string): string {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}

const LINE_LENGTH = 90;

function rowsOf(text: string): number {
  return text.split('\n').reduce((sum, line) => sum + 1 + Math.floor(line.length / LINE_LENGTH), 0);
}
