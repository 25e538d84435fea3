import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { InRightPane } from '@/components/RightPane';
import type { Turn } from '@/features/conversation/tree';
import { foundQuery } from '@/features/evidence/api';
import { SourcesPanel } from '@/features/evidence/components/SourcesPanel';
import { StatementList } from '@/features/evidence/components/StatementList';
import { marksOfCitations } from '@/features/evidence/marks';
import { numberedFiles, readNotCited } from '@/features/evidence/sources';
import { useRunPart } from '@/features/run/stores';
import type { Message } from '@/lib/conversationWire';
import type { ThreadActs } from './acts';

interface SourcesBesideProps {
  turns: readonly Turn[];
  /** The answer of interest; undefined is the last one. */
  shown: string | undefined;
  acts: ThreadActs;
}

/** The sources of the answer that is looked at, in the right pane. */
export function SourcesBeside({ turns, shown, acts }: SourcesBesideProps) {
  const last = turns.at(-1);
  if (!last) return null;
  const answer = turns.find((turn) => turn.answer?.id === shown)?.answer ?? last.answer;
  return (
    <InRightPane>
      {answer === null ? <Found runId={last.openRun} acts={acts} /> : <Cited answer={answer} acts={acts} />}
    </InRightPane>
  );
}

function Cited({ answer, acts }: { answer: Message; acts: ThreadActs }) {
  const { citations, cited_files, entities } = answer;
  const marks = useMemo(() => marksOfCitations(citations), [citations]);
  const sources = useMemo(() => numberedFiles(cited_files, marks), [cited_files, marks]);
  const found = useQuery(foundQuery(answer.id)).data;
  const others = useMemo(() => readNotCited([...entities, ...(found ?? [])], citations), [entities, found, citations]);
  return (
    <SourcesPanel sources={sources} others={others} isWritten acts={acts}>
      <StatementList messageId={answer.id} marks={marks} onOpen={acts.open} />
    </SourcesPanel>
  );
}

/** What a run has found up to now. */
function Found({ runId, acts }: { runId: string | null; acts: ThreadActs }) {
  const references = useRunPart(runId, ({ view }) => view.references);
  const others = useMemo(() => readNotCited(Object.values(references), []), [references]);
  return <SourcesPanel sources={[]} others={others} isWritten={false} acts={acts} />;
}
