/** What a conversation is called before it has a title. */
import type { Conversation } from '@/lib/conversationWire';

export function titleOf({ title, last_message_preview }: Pick<Conversation, 'title' | 'last_message_preview'>): string {
  return title ?? (last_message_preview === '' ? 'New conversation' : last_message_preview);
}
