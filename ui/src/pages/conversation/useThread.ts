/** What can be done in a conversation, and whether an answer is being written in it. */
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { refreshConversation, showMessage, useAskAgain, useFeedback, useSay } from '@/features/conversation/api';
import { leafOf, type Turn } from '@/features/conversation/tree';
import { refreshDeliverables } from '@/features/deliverables/api';
import { announce, toast } from '@/lib/announce';
import type { Citation, ContextReference, Conversation, Message, Rating } from '@/lib/conversationWire';
import type { Wanted } from '@/lib/deliverableWire';
import { messageOf } from '@/lib/problem';
import type { ThreadActs } from './acts';
import type { Reading } from './useReading';

const AT_WORK: readonly unknown[] = ['pending', 'processing', 'waiting'];

interface ThreadInit {
  readonly conversation: Conversation;
  readonly turns: readonly Turn[];
  readonly isMine: boolean;
  readonly mayAsk: boolean;
  readonly reading: Reading;
  readonly review: (citation: Citation, decision: 'accepted' | 'disputed') => void;
}

export function useThread({ conversation: { id }, turns, isMine, mayAsk, reading, review }: ThreadInit) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const say = useSay(id).mutateAsync;
  const again = useAskAgain(id).mutateAsync;
  const rate = useFeedback(id).mutateAsync;
  const leaf = leafOf(turns);
  const { look } = reading;

  const walk = useCallback(
    (at: string) => void navigate({ to: '/c/$id', params: { id }, search: (now) => ({ ...now, at }) }),
    [navigate, id],
  );
  const send = useCallback(
    async (content: string, references: readonly ContextReference[], wanted: Wanted = 'STANDARD') => {
      const { message } = await say({ content, references, wanted, ...(leaf !== null && { parent: leaf }) });
      look(undefined);
      walk(message.id);
    },
    [say, leaf, look, walk],
  );

  const follow = useCallback(
    (content: string) => send(content, turns.at(-1)?.question.context_references ?? []),
    [send, turns],
  );
  const ended = useCallback(
    (message: Message | null) => {
      if (message) showMessage(queries, message);
      announce(message ? 'The answer is ready' : 'The run has ended without an answer');
      void refreshConversation(queries, id);
      void refreshDeliverables(queries);
    },
    [queries, id],
  );
  const asked = useCallback(() => void refreshConversation(queries, id), [queries, id]);
  const edit = useCallback(
    async (question: Message, content: string) => {
      const { message } = await say({
        content,
        references: question.context_references,
        wanted: question.deliverable_type ?? 'STANDARD',
        parent: question.parent_message_id,
      });
      walk(message.id);
    },
    [say, walk],
  );

  const acts = useMemo<ThreadActs>(() => {
    const forAll = {
      isMine,
      open: reading.open,
      openDocument: reading.openDocument,
      openPassage: reading.openPassage,
      openEpisode: reading.openEpisode,
      walk,
      ended,
      asked,
      rate: (messageId: string, rating: Rating | null) => void rate({ messageId, rating }).catch(tell),
    };
    if (!mayAsk) return forAll;
    return {
      ...forAll,
      review,
      edit,
      say: follow,
      again: (messageId) =>
        void again(messageId)
          .then(({ message }) => walk(message.id))
          .catch(tell),
    };
  }, [
    reading.open,
    reading.openDocument,
    reading.openPassage,
    reading.openEpisode,
    walk,
    ended,
    asked,
    rate,
    isMine,
    mayAsk,
    review,
    edit,
    follow,
    again,
  ]);

  return { acts, send, liveRun: isMine ? liveRunOf(turns) : null };
}

/** The run that is at work on the last question that is shown. */
function liveRunOf(turns: readonly Turn[]): string | null {
  const last = turns.at(-1);
  return last?.answer === null && AT_WORK.includes(last.question.run_status) ? last.openRun : null;
}

function tell(error: unknown): void {
  toast(messageOf(error), 'bad');
}
