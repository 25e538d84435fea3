import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { AnswerText } from '@/features/evidence/components/AnswerText';
import { type Mark, StreamMarks } from '@/features/evidence/marks';
import { Approvals } from '@/features/run/components/Approvals';
import { RunActivity } from '@/features/run/components/RunActivity';
import { hasEnded } from '@/features/run/view';
import { useRun } from '@/features/run/stores';
import type { Message } from '@/lib/conversationWire';
import { LiveReport } from './LiveReport';

interface LiveAnswerProps {
  runId: string;
  /** Something is made beside the answer. */
  isMaking: boolean;
  /** Whether the reader may decide on what the run wants to change. */
  mayDecide: boolean;
  onOpen: (mark: Mark) => void;
  onEnded: (message: Message | null) => void;
  /** The run has asked back; what it asks is a message by now. */
  onAsked: () => void;
}

/** An answer while it is being written. */
export function LiveAnswer({ runId, isMaking, mayDecide, onOpen, onEnded, onAsked }: LiveAnswerProps) {
  const { view, closed, tail, citations } = useRun(runId);
  const [marker] = useState(() => new StreamMarks());
  const marks = useMemo(() => marker.of(citations, view.references), [marker, citations, view.references]);
  const isOver = hasEnded(view);
  const end = useEffectEvent(() => onEnded(view.message));
  useEffect(() => {
    if (isOver) end();
  }, [isOver]);
  const isAsking = view.standing === 'asking';
  const ask = useEffectEvent(onAsked);
  useEffect(() => {
    if (isAsking) ask();
  }, [isAsking]);

  return (
    <div aria-label="Answer" role="group">
      <RunActivity runId={runId} isLive summary="Waiting for its turn" />
      <AnswerText closed={closed} tail={tail} marks={marks} isWritten={view.preview !== null} onOpen={onOpen} />
      <Approvals approvals={view.approvals} mayDecide={mayDecide} />
      {isMaking && <LiveReport runId={runId} onOpen={onOpen} />}
    </div>
  );
}
