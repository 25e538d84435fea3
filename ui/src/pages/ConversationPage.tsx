import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { ArrowDown, MessageCircleOff } from 'lucide-react';
import { useMemo, useRef } from 'react';
import { Button } from '@/components/Button';
import { EmptyState } from '@/components/EmptyState';
import { Skeleton } from '@/components/Loaded';
import { conversationQuery, messagesQuery } from '@/features/conversation/api';
import { Composer } from '@/features/conversation/components/Composer';
import { ConversationHead } from '@/features/conversation/components/ConversationHead';
import { fileReference } from '@/features/conversation/references';
import { sharerOf } from '@/features/conversation/titles';
import { turnsOf } from '@/features/conversation/tree';
import { useFollowEnd } from '@/features/conversation/useFollowEnd';
import { useWanted } from '@/features/deliverables/choice';
import { DeliverableSelector } from '@/features/deliverables/components/DeliverableSelector';
import { DisputeDialog } from '@/features/evidence/components/DisputeDialog';
import { FirstQuestions } from '@/features/library/components/FirstQuestions';
import { useCancelRun } from '@/features/run/api';
import { toast } from '@/lib/announce';
import type { Conversation, Message } from '@/lib/conversationWire';
import { documentQuery } from '@/lib/documents';
import { useMe } from '@/lib/me';
import { mayWrite } from '@/lib/permissions';
import { messageOf } from '@/lib/problem';
import { SourcesBeside } from './conversation/SourcesBeside';
import { TurnView } from './conversation/TurnView';
import { useReading } from './conversation/useReading';
import { useReviews } from './conversation/useReviews';
import { useThread } from './conversation/useThread';
import { ReadingBeside } from './reading';

const route = getRouteApi('/shell/c/$id');

/** A conversation in the middle, its sources or the cited passage in the right pane. */
export function ConversationPage() {
  const { id } = route.useParams();
  const conversation = useQuery(conversationQuery(id));
  const messages = useQuery(messagesQuery(id));
  const error = conversation.error ?? messages.error;
  if (conversation.data && messages.data)
    return <Thread key={id} conversation={conversation.data} messages={messages.data} />;
  if (error === null) {
    return (
      <div className="mx-auto max-w-3xl p-5">
        <h1 className="sr-only">Conversation</h1>
        <Skeleton rows={5} />
      </div>
    );
  }
  return (
    <div className="mx-auto max-w-3xl p-5">
      <h1 className="sr-only">Conversation</h1>
      <EmptyState icon={<MessageCircleOff />} title="This conversation cannot be shown">
        {messageOf(error)}
      </EmptyState>
    </div>
  );
}

function tellProblem(error: unknown) {
  toast(messageOf(error), 'bad');
}

function Thread({ conversation, messages }: { conversation: Conversation; messages: readonly Message[] }) {
  const { at, doc } = route.useSearch();
  const navigate = useNavigate();
  const me = useMe();
  const isMine = conversation.user_id === me.user.id;
  const mayAsk = isMine && mayWrite(me.role);
  const turns = useMemo(() => turnsOf(messages, at), [messages, at]);
  const frame = useRef<HTMLDivElement>(null);
  const reading = useReading(conversation.id, doc !== undefined);
  const reviews = useReviews({ conversationId: conversation.id, messages, isReading: doc !== undefined, reading });
  const thread = useThread({ conversation, turns, isMine, mayAsk, reading, review: reviews.review });
  const cancel = useCancelRun();
  const [wanted, setWanted] = useWanted();
  const beside = useQuery({ ...documentQuery(doc ?? ''), enabled: doc !== undefined }).data;
  const { liveRun } = thread;
  const { isAway, toEnd } = useFollowEnd(frame, liveRun !== null);

  return (
    <div className="flex h-full min-h-0 flex-col">
      <ConversationHead
        conversation={conversation}
        isMine={isMine}
        firstQuestion={messages[0]?.content}
        onDeleted={() => void navigate({ to: '/' })}
      />
      <div
        ref={frame}
        data-thread
        role="region"
        aria-label="Conversation"
        tabIndex={0}
        className="relative min-h-0 flex-1 overflow-y-auto focus-visible:-outline-offset-2"
      >
        <div className="mx-auto grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-8 px-5 pt-6 pb-10 @2xl:px-8">
          {turns.map((turn, position) => (
            <TurnView key={turn.question.id} turn={turn} isLast={position === turns.length - 1} acts={thread.acts} />
          ))}
          {turns.length === 0 && (
            <div className="py-10">
              <p className="text-center text-ink-2">Nothing has been asked here yet.</p>
              {mayAsk && (
                <FirstQuestions
                  isBusy={liveRun !== null}
                  onAsk={(question) => void thread.send(question, [], wanted).catch(tellProblem)}
                />
              )}
            </div>
          )}
        </div>
      </div>
      <div className="relative mx-auto w-full max-w-3xl px-3 pb-3 @2xl:px-8">
        {isAway && (
          <Button className="absolute -top-11 left-1/2 -translate-x-1/2 shadow-float" onClick={toEnd}>
            <ArrowDown aria-hidden className="size-4" /> {liveRun === null ? 'To the end' : 'New text'}
          </Button>
        )}
        {mayAsk ? (
          <Composer
            place={conversation.id}
            placeholder={turns.length === 0 ? 'Ask about your documents…' : 'Ask the next question…'}
            focus={turns.at(-1)?.question.context_references ?? []}
            beside={beside ? fileReference(beside) : null}
            onSend={(content, references) =>
              thread.send(content, references, wanted).then(() => {
                setWanted('STANDARD');
                toEnd();
              })
            }
            onStop={
              liveRun === null
                ? undefined
                : () => cancel.mutate(liveRun, { onError: (error) => toast(messageOf(error), 'bad') })
            }
          >
            <DeliverableSelector value={wanted} onChange={setWanted} />
          </Composer>
        ) : (
          <p className="rounded-lg bg-sunken px-4 py-3 text-sm text-ink-2">
            {isMine
              ? 'Viewers read; they do not ask.'
              : `${sharerOf(conversation)} shares this conversation for reading. To ask further, begin one of your own.`}
          </p>
        )}
      </div>
      {doc === undefined && <SourcesBeside turns={turns} shown={reading.shownMessage} acts={thread.acts} />}
      <ReadingBeside search={route.useSearch()} onPlace={reading.place} />
      {reviews.disputed && (
        <DisputeDialog citation={reviews.disputed} onClose={reviews.close} onDispute={reviews.dispute} />
      )}
    </div>
  );
}
