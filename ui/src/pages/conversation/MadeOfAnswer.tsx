import { useQuery } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import { clsx } from 'clsx';
import { useId, useMemo, useState } from 'react';
import { Skeleton } from '@/components/Loaded';
import { Notice } from '@/components/Notice';
import { contentQuery, ofConversationQuery } from '@/features/deliverables/api';
import { DeliverableCard } from '@/features/deliverables/components/DeliverableCard';
import { KINDS } from '@/features/deliverables/kinds';
import type { Message } from '@/lib/conversationWire';
import type { Deliverable } from '@/lib/deliverableWire';
import { messageOf } from '@/lib/problem';
import { reportOf } from '../deliverables/report';
import { ReportView } from '../deliverables/ReportView';
import type { ThreadActs } from './acts';

interface MadeOfAnswerProps {
  answer: Message;
  isLast: boolean;
  acts: ThreadActs;
}

/** What was made of an answer, below it. A report can be read in place. */
export function MadeOfAnswer({
  answer: { id, conversation_id, run_id, has_async_entities_in_progress: isMakingMore },
  isLast,
  acts,
}: MadeOfAnswerProps) {
  const query = useQuery({ ...ofConversationQuery(conversation_id ?? ''), enabled: conversation_id !== null });
  const made = useMemo(
    () =>
      inOrder((query.data ?? []).filter((one) => one.message_id === id || (run_id !== null && one.run_id === run_id))),
    [query.data, id, run_id],
  );
  if (made.length === 0)
    return isMakingMore ? (
      <p role="status" className="mt-3 text-sm text-ink-3">
        Creating notes…
      </p>
    ) : null;
  const report = made.find(({ kind, status }) => kind === 'REPORT' && status === 'completed');
  return (
    <div aria-label="Made of this answer" role="group" className="mt-4 grid grid-cols-[minmax(0,1fr)] gap-3">
      {made.map((one) => (
        <DeliverableCard key={one.id} deliverable={one} mayChange={acts.say !== undefined} />
      ))}
      {report && <InPlace key={report.id} deliverable={report} isOpened={isLast} acts={acts} />}
    </div>
  );
}

/** Reports first, and of each kind the newest. */
function inOrder(made: readonly Deliverable[]): readonly Deliverable[] {
  return made.toSorted((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || b.version - a.version);
}

function InPlace({ deliverable, isOpened, acts }: { deliverable: Deliverable; isOpened: boolean; acts: ThreadActs }) {
  const [isOpen, setOpen] = useState(isOpened);
  const id = useId();
  return (
    <div>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
        className="-ml-1.5 flex min-h-8 items-center gap-1.5 rounded-md px-1.5 text-sm text-ink-3 hover:bg-hover hover:text-ink coarse:min-h-11"
      >
        <ChevronRight aria-hidden className={clsx('size-4 transition-transform', isOpen && 'rotate-90')} />
        {isOpen ? 'Fold the report' : 'Read the report here'}
      </button>
      <div id={id} hidden={!isOpen} data-deliverable={deliverable.id} className="report-paper mt-1">
        {isOpen && <Said id={deliverable.id} acts={acts} />}
      </div>
    </div>
  );
}

function Said({ id, acts }: { id: string; acts: ThreadActs }) {
  const query = useQuery(contentQuery(id));
  const report = useMemo(() => (query.data ? reportOf(query.data) : null), [query.data]);
  if (report !== null)
    return (
      <ReportView
        report={report}
        level={3}
        onOpen={({ citation }) => citation && acts.open(citation)}
        onOpenDocument={acts.openDocument}
      />
    );
  return query.error === null ? <Skeleton rows={5} /> : <Notice tone="bad">{messageOf(query.error)}</Notice>;
}
