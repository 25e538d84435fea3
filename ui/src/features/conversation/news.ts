/** What one tab does to a conversation, the others of the same browser hear at once. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('intelli.conversations');

export function tellOtherTabs(id: string): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
  channel?.postMessage(id);
}

/** Looks again at what another tab has changed, for as long as the component is there. */
export function useNewsOfOtherTabs(): void {
  const queries = useQueryClient();
  useEffect(() => {
    const listen = (event: MessageEvent<unknown>) => look(queries, event.data);
    channel?.addEventListener('message', listen);
    return () => channel?.removeEventListener('message', listen);
  }, [queries]);
}

function look(queries: QueryClient, id: unknown): void {
  void queries.invalidateQueries({ queryKey: ['conversations', 'list'] });
  void queries.invalidateQueries({ queryKey: ['conversations', 'one', id] });
  void queries.invalidateQueries({ queryKey: ['conversations', 'messages', id] });
}
