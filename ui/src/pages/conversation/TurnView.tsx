import { memo } from 'react';
import { BranchWalker } from '@/features/conversation/components/BranchWalker';
import { Question } from '@/features/conversation/components/Question';
import { answerPlace, type Turn } from '@/features/conversation/tree';
import { Clarification } from '@/features/run/components/Clarification';
import { SharedApprovals } from '@/features/run/components/SharedApprovals';
import { UnfinishedRun } from '@/features/run/components/UnfinishedRun';
import type { Message } from '@/lib/conversationWire';
import { useMe } from '@/lib/me';
import { mayWrite } from '@/lib/permissions';
import type { ThreadActs } from './acts';
import { KeptAnswer } from './KeptAnswer';
import { LiveAnswer } from './LiveAnswer';

interface TurnViewProps {
  turn: Turn;
  isLast: boolean;
  acts: ThreadActs;
}

/** A question and what became of it. */
export const TurnView = memo(function TurnView({ turn, isLast, acts }: TurnViewProps) {
  const { question, answer } = turn;
  const { edit } = acts;
  return (
    <article aria-label="Question and answer" className="turn grid grid-cols-[minmax(0,1fr)] gap-2">
      <Question turn={turn} onWalk={acts.walk} onEdit={edit && ((content) => edit(question, content))} />
      {answer === null && <Unanswered turn={turn} acts={acts} />}
      {answer !== null &&
        (turn.isAskingBack ? (
          <AskedBack answer={answer} acts={acts} />
        ) : (
          <KeptAnswer turn={turn} answer={answer} isLast={isLast} acts={acts} />
        ))}
    </article>
  );
});

/** What the run wants to know before it goes on; once it does, only the question stays. */
function AskedBack({ answer, acts }: { answer: Message; acts: ThreadActs }) {
  const question = answer.needs_clarification_message;
  if (question === null || !acts.say) return <p className="text-[15px] leading-relaxed">{answer.content}</p>;
  return <Clarification question={question} onAnswer={acts.say} />;
}

/** A colleague's question that is not answered yet: it may wait for somebody to decide. */
function NotYet({ runId }: { runId: string }) {
  const { role } = useMe();
  return (
    <>
      <p className="text-sm text-ink-3">There is no answer to this yet.</p>
      <SharedApprovals runId={runId} mayDecide={mayWrite(role)} />
    </>
  );
}

function Unanswered({ turn, acts }: { turn: Turn; acts: ThreadActs }) {
  const { question, openRun } = turn;
  const { again } = acts;
  const status = question.run_status;
  if (openRun === null) return null;
  if (!acts.isMine) return <NotYet runId={openRun} />;
  return (
    <>
      {status === 'failed' || status === 'cancelled' ? (
        <UnfinishedRun runId={openRun} status={status} onAgain={again && (() => again(question.id))} />
      ) : (
        <LiveAnswer
          runId={openRun}
          isMaking={![null, 'STANDARD'].includes(question.deliverable_type)}
          mayDecide={acts.say !== undefined}
          onOpen={({ passage, episode }) =>
            episode === null ? passage && acts.openPassage(passage) : acts.openEpisode(episode)
          }
          onEnded={acts.ended}
          onAsked={acts.asked}
        />
      )}
      <div>
        <BranchWalker of="answer" place={answerPlace(turn)} onWalk={acts.walk} />
      </div>
    </>
  );
}
