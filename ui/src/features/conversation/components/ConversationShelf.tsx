import { useInfiniteQuery } from '@tanstack/react-query';
import { Search, X } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { IconButton } from '@/components/Button';
import { Loaded } from '@/components/Loaded';
import type { Conversation } from '@/lib/conversationWire';
import { itemsOf } from '@/lib/pages';
import { conversationsQuery, type ListWish } from '../api';
import { useNewsOfOtherTabs } from '../news';
import { sharerOf } from '../titles';
import { ConversationRow } from './ConversationRow';

/** The conversations of the person, newest first, pinned ones before; or those that hold the words looked for. Below, what others share. */
export function ConversationShelf() {
  useNewsOfOtherTabs();
  const [text, setText] = useState('');
  const [archived, setArchived] = useState(false);
  const q = useDeferredValue(text.trim());
  const query = useConversations({ q, whose: archived ? 'archived' : 'own' });
  const items: readonly Conversation[] = itemsOf(query.data);
  const shared = useConversations({ q, whose: 'shared' });
  const number = items.length + itemsOf(shared.data).length;
  const list = q === '' ? items.toSorted((a, b) => Number(b.is_pinned) - Number(a.is_pinned)) : items;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <section aria-label="Conversations" className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
        <header className="flex items-center justify-between pr-1 pl-2.5">
          <h2 className="text-xs font-semibold text-ink-3">{archived ? 'Archived conversations' : 'Conversations'}</h2>
          <button
            type="button"
            aria-pressed={archived}
            onClick={() => setArchived(!archived)}
            className="min-h-6 rounded-sm px-1 text-xs text-ink-3 hover:text-ink"
          >
            {archived ? 'Show current' : 'Archive'}
          </button>
        </header>
        {(number > 4 || text !== '' || archived) && <Filter text={text} onChange={setText} />}
        <Loaded
          query={query}
          items={list}
          empty={<p className="px-2.5 text-sm text-ink-3">{emptyText(q, archived)}</p>}
        >
          {(conversations) => (
            <ul className="grid grid-cols-[minmax(0,1fr)] gap-0.5">
              {conversations.map((conversation) => (
                <li key={conversation.id}>
                  <ConversationRow conversation={conversation} />
                </li>
              ))}
            </ul>
          )}
        </Loaded>
      </section>
      {!archived && <SharedConversations query={shared} />}
    </div>
  );
}

function useConversations(wish: ListWish) {
  return useInfiniteQuery(conversationsQuery(wish));
}

/** What others of the workspace share. Where nothing is shared, there is nothing to see. */
function SharedConversations({ query }: { query: ReturnType<typeof useConversations> }) {
  const items: readonly Conversation[] = itemsOf(query.data);
  if (items.length === 0 && query.error === null) return null;
  return (
    <section aria-label="Shared with the workspace" className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
      <h2 className="px-2.5 text-xs font-semibold text-ink-3">Shared with the workspace</h2>
      <Loaded query={query} items={items} empty={null}>
        {(conversations) => (
          <ul className="grid grid-cols-[minmax(0,1fr)] gap-0.5">
            {conversations.map((conversation) => (
              <li key={conversation.id}>
                <ConversationRow conversation={conversation} by={sharerOf(conversation)} />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  );
}

function emptyText(q: string, archived: boolean): string {
  if (q !== '') return 'No conversation holds these words.';
  return archived ? 'Nothing is archived.' : 'None yet. Ask something.';
}

function Filter({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  return (
    <div className="relative">
      <Search aria-hidden className="pointer-events-none absolute inset-y-0 left-2.5 my-auto size-3.5 text-ink-3" />
      <input
        aria-label="Search conversations"
        placeholder="Search conversations…"
        value={text}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
        className="h-8 w-full rounded-md border border-line bg-surface pr-8 pl-8 text-sm hover:border-line-strong coarse:h-11"
      />
      {text !== '' && (
        <IconButton label="Clear" className="absolute inset-y-0 right-0 my-auto" onClick={() => onChange('')}>
          <X aria-hidden className="size-3.5" />
        </IconButton>
      )}
    </div>
  );
}
