/** What a conversation is called before it has a title, and whose it is. */
import type { Conversation } from '@/lib/conversationWire';

/** The first question stands for the title while it is answered. */
export function titleOf({
  title,
  last_message_preview,
  message_count,
}: Pick<Conversation, 'title' | 'last_message_preview' | 'message_count'>): string {
  return title ?? (last_message_preview === '' || message_count > 1 ? 'New conversation' : last_message_preview);
}

export function sharerOf({ user_name }: Pick<Conversation, 'user_name'>): string {
  return user_name ?? 'a former member';
}
