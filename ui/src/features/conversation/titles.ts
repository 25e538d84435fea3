/** What a conversation is called before it has a title, and whose it is. */
import type { Conversation } from '@/lib/conversationWire';

export function titleOf({ title, last_message_preview }: Pick<Conversation, 'title' | 'last_message_preview'>): string {
  return title ?? (last_message_preview === '' ? 'New conversation' : last_message_preview);
}

export function sharerOf({ user_name }: Pick<Conversation, 'user_name'>): string {
  return user_name ?? 'a former member';
}
