/** Conversations and what was said in them. */
import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import type { Citation, ContextReference, Conversation, Message, Rating } from '@/lib/conversationWire';
import type { Wanted } from '@/lib/deliverableWire';
import { answer, api, idempotent, ifVersion } from '@/lib/http';
import { cursorPages, pageQuery } from '@/lib/pages';
import { tellOtherTabs } from './news';
import { withNewer } from './tree';

export const CONVERSATIONS = 'conversations';
const MESSAGES_AT_ONCE = 100;
/** Another device may have asked something meanwhile. */
const LOOK_AGAIN_MS = 30_000;

/** Whose: the person's own, those they have archived, or what others share. */
export type Whose = 'own' | 'archived' | 'shared';

export interface ListWish {
  readonly q: string;
  readonly whose: Whose;
}

export function conversationsQuery({ q, whose }: ListWish) {
  const which = { archived: whose === 'archived', shared: whose === 'shared' };
  return infiniteQueryOptions({
    queryKey: [CONVERSATIONS, 'list', q, whose],
    queryFn: ({ pageParam, signal }) =>
      answer(
        api.GET('/api/v1/conversations', {
          params: { query: { ...pageQuery(pageParam, 40), ...which, ...(q !== '' && { q }) } },
          signal,
        }),
      ),
    ...cursorPages,
    placeholderData: keepPreviousData,
    refetchInterval: LOOK_AGAIN_MS,
  });
}

export function conversationQuery(id: string) {
  return queryOptions({
    queryKey: [CONVERSATIONS, 'one', id],
    queryFn: ({ signal }) =>
      answer(api.GET('/api/v1/conversations/{conversation_id}', { params: { path: { conversation_id: id } }, signal })),
  });
}

/** The whole tree, oldest first. */
export function messagesQuery(id: string) {
  return queryOptions({
    queryKey: messagesKey(id),
    queryFn: ({ signal }) => allMessages(id, signal),
    refetchInterval: LOOK_AGAIN_MS,
  });
}

function messagesKey(id: string) {
  return [CONVERSATIONS, 'messages', id] as const;
}

async function allMessages(id: string, signal: AbortSignal): Promise<readonly Message[]> {
  const messages: Message[] = [];
  let cursor: string | null = null;
  do {
    const query = pageQuery(cursor, MESSAGES_AT_ONCE);
    const page: { readonly items: readonly Message[]; readonly next_cursor: string | null } = await answer(
      api.GET('/api/v1/conversations/{conversation_id}/messages', {
        params: { path: { conversation_id: id }, query },
        signal,
      }),
    );
    messages.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return messages;
}

/** Puts a message into its conversation on the screen, before the server is asked again. */
export function showMessage(queries: QueryClient, message: Message): void {
  const queryKey = messagesKey(message.conversation_id ?? '');
  void queries.cancelQueries({ queryKey });
  queries.setQueryData<readonly Message[]>(queryKey, (messages) => withNewer(messages ?? [], message));
}

/** Puts what became of a citation into its message on the screen. */
export function showCitation(queries: QueryClient, conversationId: string, citation: Citation): void {
  const inside = (message: Message) => ({
    ...message,
    citations: message.citations.map((one) => (one.id === citation.id ? citation : one)),
  });
  queries.setQueryData<readonly Message[]>(messagesKey(conversationId), (messages) =>
    messages?.map((message) => (message.id === citation.message_id ? inside(message) : message)),
  );
  tellOtherTabs(conversationId);
}

export async function refreshConversation(queries: QueryClient, id: string): Promise<void> {
  tellOtherTabs(id);
  await Promise.all([
    queries.invalidateQueries({ queryKey: messagesKey(id) }),
    queries.invalidateQueries({ queryKey: [CONVERSATIONS, 'one', id] }),
    queries.invalidateQueries({ queryKey: [CONVERSATIONS, 'list'] }),
  ]);
}

export interface Asking {
  readonly content: string;
  readonly references: readonly ContextReference[];
  /** What it is to become; left out, an answer alone. */
  readonly wanted?: Wanted;
  /** Left out: after the newest message. Null: beside the first question. */
  readonly parent?: string | null;
}

function say(id: string, { content, references, wanted = 'STANDARD', parent }: Asking) {
  const body = {
    content,
    memory: true,
    deliverable_type: wanted,
    context_references: references.map((reference) => ({ ...reference })),
    ...(parent !== undefined && { parent_message_id: parent }),
  };
  return answer(
    api.POST('/api/v1/conversations/{conversation_id}/messages', {
      params: { path: { conversation_id: id } },
      body,
      headers: idempotent(),
    }),
  );
}

/** Begins a conversation with its first question, and gives its id. */
export function useBegin() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (asking: Asking) => {
      const { id } = await answer(
        api.POST('/api/v1/conversations', { body: beginningOf(asking.references), headers: idempotent() }),
      );
      showMessage(queries, (await say(id, asking)).message);
      return id;
    },
    onSuccess: (id) => refreshConversation(queries, id),
  });
}

interface Beginning {
  readonly uses_memory: boolean;
  readonly initialization_context: 'new_chat' | 'file' | 'folder';
  readonly initialization_path?: string;
  readonly initialization_document_id?: string;
}

function beginningOf(references: readonly ContextReference[]): Beginning {
  const [only, ...more] = references;
  if (!only || more.length > 0 || only.reference_type === 'all_filesystem')
    return { initialization_context: 'new_chat', uses_memory: true };
  return only.reference_type === 'folder'
    ? { uses_memory: true, initialization_context: 'folder', initialization_path: only.folder_path ?? '/' }
    : { uses_memory: true, initialization_context: 'file', initialization_document_id: only.document_id ?? '' };
}

export function useSay(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (asking: Asking) => say(id, asking),
    onSuccess: ({ message }) => {
      showMessage(queries, message);
      return refreshConversation(queries, id);
    },
  });
}

/** Has a question answered once more. */
export function useAskAgain(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (messageId: string) =>
      answer(
        api.POST('/api/v1/messages/{message_id}/retry', {
          params: { path: { message_id: messageId } },
          headers: idempotent(),
        }),
      ),
    onSuccess: ({ message }) => {
      showMessage(queries, message);
      return refreshConversation(queries, id);
    },
  });
}

export interface Change {
  readonly title?: string;
  readonly is_pinned?: boolean;
  readonly is_archived?: boolean;
  readonly is_shared?: boolean;
  readonly uses_memory?: boolean;
}

export function useChange() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ conversation, change }: { conversation: Conversation; change: Change }) =>
      answer(
        api.PATCH('/api/v1/conversations/{conversation_id}', {
          params: { path: { conversation_id: conversation.id } },
          body: { ...change },
          headers: ifVersion(conversation.version),
        }),
      ),
    onSettled: (_done, _failed, { conversation }) => refreshConversation(queries, conversation.id),
  });
}

export function useDelete() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      answer(api.DELETE('/api/v1/conversations/{conversation_id}', { params: { path: { conversation_id: id } } })),
    onSuccess: (_done, id) => {
      queries.removeQueries({ queryKey: [CONVERSATIONS, 'one', id] });
      queries.removeQueries({ queryKey: messagesKey(id) });
      tellOtherTabs(id);
      return queries.invalidateQueries({ queryKey: [CONVERSATIONS, 'list'] });
    },
  });
}

/** A null takes it back. */
export function useFeedback(conversationId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ messageId, rating }: { messageId: string; rating: Rating | null }) => {
      const params = { path: { message_id: messageId } };
      if (rating === null) await api.DELETE('/api/v1/messages/{message_id}/feedback', { params });
      else await api.PUT('/api/v1/messages/{message_id}/feedback', { params, body: { rating } });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: messagesKey(conversationId) }),
  });
}
