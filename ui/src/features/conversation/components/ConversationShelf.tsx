import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { LoaderCircle, Pin, Search, Users, X } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { IconButton } from '@/components/Button';
import { Loaded } from '@/components/Loaded';
import type { Conversation } from '@/lib/conversationWire';
import { itemsOf } from '@/lib/pages';
import { conversationsQuery } from '../api';
import { useNewsOfOtherTabs } from '../news';
import { titleOf } from '../titles';

/** The conversations of the person, newest first, pinned ones before; or those that hold the words looked for. */
export function ConversationShelf() {
  useNewsOfOtherTabs();
  const [text, setText] = useState('');
  const [archived, setArchived] = useState(false);
  const q = useDeferredValue(text.trim());
  const query = useInfiniteQuery(conversationsQuery({ q, archived }));
  const items: readonly Conversation[] = itemsOf(query.data);
  const list = q === '' ? items.toSorted((a, b) => Number(b.is_pinned) - Number(a.is_pinned)) : items;
  return (
    <section aria-label="Conversations" className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
      <header className="flex items-center justify-between pr-1 pl-2.5">
        <h2 className="text-xs font-semibold text-ink-3">{archived ? 'Archived conversations' : 'Conversations'}</h2>
        <button type="button" aria-pressed={archived} onClick={() => setArchived(!archived)} className="min-h-6 rounded-sm px-1 text-xs text-ink-3 hover:text-ink">
          {archived ? 'Show current' : 'Archive'}
        </button>
      </header>
      {(items.length > 4 || text !== '' || archived) && <Filter text={text} onChange={setText} />}
      <Loaded query={query} items={list} empty={<p className="px-2.5 text-sm text-ink-3">{emptyText(q, archived)}</p>}>
        {(conversations) => (
          <ul className="grid grid-cols-[minmax(0,1fr)] gap-0.5">
            {conversations.map((conversation) => (
              <li key={conversation.id}>
                <Row conversation={conversation} />
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

function Row({ conversation }: { conversation: Conversation }) {
  const excerpt = conversation.excerpt ?? '';
  return (
    <Link
      to="/c/$id"
      params={{ id: conversation.id }}
      activeOptions={{ includeSearch: false }}
      className="block rounded-md px-2.5 py-1.5 text-sm coarse:py-2.5"
      activeProps={{ className: 'bg-surface font-medium text-ink shadow-[0_0_0_1px_var(--line)]' }}
      inactiveProps={{ className: 'text-ink-2 hover:bg-hover hover:text-ink' }}
    >
      <span className="flex items-center gap-1.5">
        <bdi className="min-w-0 flex-1 truncate">{titleOf(conversation)}</bdi>
        {conversation.has_async_entities_in_progress && <LoaderCircle role="img" aria-label="At work" className="size-3.5 shrink-0 animate-spin" />}
        {conversation.is_shared && <Users role="img" aria-label="Shared" className="size-3.5 shrink-0 text-ink-3" />}
        {conversation.is_pinned && <Pin role="img" aria-label="Pinned" className="size-3.5 shrink-0 text-ink-3" />}
      </span>
      {excerpt !== '' && <span className={clsx('line-clamp-2 text-xs font-normal text-ink-3')}>{excerpt}</span>}
    </Link>
  );
}
