import { Link } from '@tanstack/react-router';
import { LoaderCircle, Pin, Users } from 'lucide-react';
import type { Conversation } from '@/lib/conversationWire';
import { titleOf } from '../titles';

interface ConversationRowProps {
  conversation: Conversation;
  /** Who shares it, where it is another person's: then how they keep it is none of the reader's business. */
  by?: string;
}

/** A conversation in a list, with where the words stand that were looked for. */
export function ConversationRow({ conversation, by }: ConversationRowProps) {
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
        {conversation.has_async_entities_in_progress && (
          <LoaderCircle role="img" aria-label="At work" className="size-3.5 shrink-0 animate-spin" />
        )}
        {by === undefined && conversation.is_shared && (
          <Users role="img" aria-label="Shared" className="size-3.5 shrink-0 text-ink-3" />
        )}
        {by === undefined && conversation.is_pinned && (
          <Pin role="img" aria-label="Pinned" className="size-3.5 shrink-0 text-ink-3" />
        )}
      </span>
      {by !== undefined && <span className="block truncate text-xs font-normal text-ink-3">by {by}</span>}
      {excerpt !== '' && <span className="line-clamp-2 text-xs font-normal text-ink-3">{excerpt}</span>}
    </Link>
  );
}
