import { useMemo } from 'react';
import { Notice } from '@/components/Notice';
import { isWithoutModel } from '@/features/conversation/answerFigures';
import { AnswerFoot } from '@/features/conversation/components/AnswerFoot';
import { FollowUps } from '@/features/conversation/components/FollowUps';
import type { Turn } from '@/features/conversation/tree';
import { MakeMenu } from '@/features/deliverables/components/MakeMenu';
import { AnswerText } from '@/features/evidence/components/AnswerText';
import { EvidenceNotes } from '@/features/evidence/components/EvidenceNotes';
import { FigureLedger } from '@/features/evidence/components/FigureLedger';
import { Findings } from '@/features/evidence/components/Findings';
import { SourceCarousel } from '@/features/evidence/components/SourceCarousel';
import { answerWithSources } from '@/features/evidence/copy';
import { marksOfCitations } from '@/features/evidence/marks';
import { type NumberedFile, numberedFiles } from '@/features/evidence/sources';
import { NoModelLine } from '@/features/models/components/NoModel';
import { RunActivity } from '@/features/run/components/RunActivity';
import { toast } from '@/lib/announce';
import type { Message } from '@/lib/conversationWire';
import { copyText } from '@/lib/copy';
import { blocksOf } from '@/lib/markdownBlocks';
import { useMe } from '@/lib/me';
import { mayAdminister } from '@/lib/permissions';
import { messageOf } from '@/lib/problem';
import type { ThreadActs } from './acts';
import { MadeOfAnswer } from './MadeOfAnswer';

interface KeptAnswerProps {
  turn: Turn;
  answer: Message;
  isLast: boolean;
  acts: ThreadActs;
}

/** An answer that is written and checked. */
export function KeptAnswer({ turn, answer, isLast, acts }: KeptAnswerProps) {
  const blocks = useMemo(() => blocksOf(answer.content), [answer.content]);
  const marks = useMemo(() => marksOfCitations(answer.citations), [answer.citations]);
  const sources = useMemo(() => numberedFiles(answer.cited_files, marks), [answer.cited_files, marks]);
  const { again, say, review } = acts;
  const { role } = useMe();

  function openFirst({ citations: [first], file }: NumberedFile) {
    if (first) acts.open(first);
    else if (file.file_id !== null) acts.openDocument(file.file_id);
  }
  async function copy() {
    toast(
      (await copyText(answerWithSources(answer.content, marks)))
        ? 'Copied, with the sources.'
        : 'The browser does not allow copying.',
    );
  }

  return (
    <div aria-label="Answer" role="group" data-message={answer.id}>
      {answer.run_id !== null && (
        <RunActivity runId={acts.isMine ? answer.run_id : null} isLive={false} summary="How this was answered">
          <EvidenceNotes messageId={answer.id} />
          <FigureLedger messageId={answer.id} marks={marks} onOpen={acts.open} />
        </RunActivity>
      )}
      <AnswerText
        closed={blocks}
        marks={marks}
        onOpen={({ citation }) => citation && acts.open(citation)}
        {...(review && { onReview: review })}
      />
      {isLast && <Findings messageId={answer.id} marks={marks} onOpen={acts.open} />}
      {answer.problems.length > 0 && (
        <div className="mt-4">
          <Notice tone="warn" title="What this answer had to do without">
            <ul className="list-disc pl-4">
              {answer.problems.map((problem) => (
                <li key={problem}>{problem}</li>
              ))}
            </ul>
          </Notice>
        </div>
      )}
      {isWithoutModel(answer) && <NoModelLine isCited={answer.citations.length > 0} isAdmin={mayAdminister(role)} />}
      <SourceCarousel sources={sources} onOpen={openFirst} />
      <AnswerFoot
        turn={turn}
        answer={answer}
        onCopy={() => void copy()}
        onWalk={acts.walk}
        onAgain={again && (() => again(answer.id))}
        onRate={(rating) => acts.rate(answer.id, rating)}
      >
        <MakeMenu messageId={answer.id} mayMake={say !== undefined && answer.citations.length > 0} />
      </AnswerFoot>
      <MadeOfAnswer answer={answer} isLast={isLast} acts={acts} />
      {isLast && say && (
        <FollowUps
          questions={answer.follow_ups}
          onAsk={(question) => void say(question).catch((error: unknown) => toast(messageOf(error), 'bad'))}
        />
      )}
    </div>
  );
}
