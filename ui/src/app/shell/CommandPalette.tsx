import { useInfiniteQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { Search } from 'lucide-react';
import { useNavigate } from '@tanstack/react-router';
import { Dialog } from 'radix-ui';
import { type KeyboardEvent, useDeferredValue, useId, useState } from 'react';
import { useFocusReturn } from '@/components/focusReturn';
import { Keys } from '@/components/Marks';
import { conversationsQuery } from '@/features/conversation/api';
import { titleOf } from '@/features/conversation/titles';
import { type Command, searchCommands, useRegistry } from '@/lib/commands';
import type { Conversation } from '@/lib/conversationWire';
import { itemsOf } from '@/lib/pages';
import { closeOverlays, useOverlays } from './overlays';

/** How many conversations the palette offers. */
const SAID = 5;

/** Everything that can be reached or done, by typing a few letters. */
export function CommandPalette() {
  const open = useOverlays((overlays) => overlays.open === 'palette');
  const focusReturn = useFocusReturn();
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && closeOverlays()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fade-in fixed inset-0 z-40 bg-scrim" />
        <Dialog.Content
          {...focusReturn}
          aria-describedby={undefined}
          className="float-in fixed top-[12vh] left-1/2 z-50 flex max-h-[70vh] w-[min(36rem,calc(100vw-1.5rem))] -translate-x-1/2 flex-col overflow-hidden rounded-lg bg-surface shadow-float focus:outline-none"
        >
          <Dialog.Title className="sr-only">Find or do something</Dialog.Title>
          <Finder />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function run(command: Command | undefined): void {
  if (!command) return;
  closeOverlays();
  command.run();
}

function Finder() {
  const commands = useRegistry((registry) => registry.commands);
  const [text, setText] = useState('');
  const [position, setPosition] = useState(0);
  const listId = useId();
  const found = [
    ...searchCommands(
      commands.filter(({ id }) => id !== 'palette'),
      text,
    ),
    ...useFound(text.trim()),
  ];
  const active = Math.min(position, found.length - 1);

  function press(event: KeyboardEvent) {
    const last = found.length - 1;
    const next = {
      ArrowDown: active >= last ? 0 : active + 1,
      ArrowUp: active <= 0 ? last : active - 1,
      Home: 0,
      End: last,
    }[event.key];
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) run(found[active]);
    else if (next !== undefined) setPosition(next);
    else return;
    event.preventDefault();
  }

  return (
    <>
      <div className="flex items-center gap-3 border-b border-line px-4">
        <Search aria-hidden className="size-4 shrink-0 text-ink-3" />
        <input
          role="combobox"
          aria-expanded
          aria-controls={listId}
          aria-activedescendant={found[active] && `${listId}-${found[active].id}`}
          aria-label="Find or do something"
          placeholder="Find or do something…"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setPosition(0);
          }}
          onKeyDown={press}
          className="h-12 min-w-0 flex-1 bg-transparent text-md focus:outline-none focus-visible:outline-none"
        />
      </div>
      <div id={listId} role="listbox" aria-label="Commands" className="overflow-y-auto p-1.5">
        {found.map((command, index) => (
          <CommandRow
            key={command.id}
            id={`${listId}-${command.id}`}
            command={command}
            active={index === active}
            onRun={() => run(command)}
            onPoint={() => setPosition(index)}
          />
        ))}
      </div>
    </>
  );
}

/** Whatever is typed can also be looked for in the documents and in what was said. */
function useFound(text: string): readonly Command[] {
  const navigate = useNavigate();
  const q = useDeferredValue(text);
  const said: readonly Conversation[] = itemsOf(
    useInfiniteQuery({ ...conversationsQuery({ q, whose: 'own' }), enabled: q.length > 1, refetchInterval: false })
      .data,
  );
  if (text === '') return [];
  const conversations =
    q.length < 2
      ? []
      : said.slice(0, SAID).map((one): Command => ({
          id: `c-${one.id}`,
          title: titleOf(one),
          group: 'Find',
          run: () => void navigate({ to: '/c/$id', params: { id: one.id } }),
        }));
  return [
    ...conversations,
    {
      id: 'search-for',
      title: `Search the library for “${text}”`,
      group: 'Find',
      run: () => void navigate({ to: '/search', search: { q: text } }),
    },
  ];
}

interface CommandRowProps {
  id: string;
  command: Command;
  active: boolean;
  onRun: () => void;
  onPoint: () => void;
}

function CommandRow({ id, command, active, onRun, onPoint }: CommandRowProps) {
  return (
    // The combobox holds the focus and the keys; a row only takes the pointer.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={id}
      role="option"
      aria-selected={active}
      tabIndex={-1}
      ref={(row) => {
        if (active) row?.scrollIntoView({ block: 'nearest' });
      }}
      onClick={onRun}
      onPointerMove={onPoint}
      className={clsx(
        'flex min-h-9 cursor-pointer items-center gap-3 rounded-md px-3 text-sm coarse:min-h-11',
        active && 'bg-accent-soft',
      )}
    >
      <span className="w-12 shrink-0 text-xs text-ink-3">{command.group}</span>
      <span className="min-w-0 flex-1 truncate">{command.title}</span>
      {command.keys !== undefined && <Keys keys={command.keys} />}
    </div>
  );
}
