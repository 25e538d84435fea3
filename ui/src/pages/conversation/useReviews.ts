/** Deciding on citations, by hand or by keys. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { showCitation } from '@/features/conversation/api';
import { contentQuery } from '@/features/deliverables/api';
import { useReview } from '@/features/evidence/api';
import { useCitationKeys } from '@/features/evidence/useCitationKeys';
import { announce, toast } from '@/lib/announce';
import type { Citation, Message } from '@/lib/conversationWire';
import { messageOf } from '@/lib/problem';
import { reportOf } from '../deliverables/report';
import type { Reading } from './useReading';

interface ReviewsInit {
  readonly conversationId: string;
  readonly messages: readonly Message[];
  /** A passage is open: it follows the walk. */
  readonly isReading: boolean;
  readonly reading: Reading;
}

export function useReviews({ conversationId, messages, isReading, reading: { open, look } }: ReviewsInit) {
  const queries = useQueryClient();
  const { mutateAsync } = useReview();
  const [disputed, setDisputed] = useState<Citation | null>(null);

  const put = useCallback(
    async (citation: Citation, decision: 'accepted' | 'disputed' | null, note: string) => {
      const reviewed = await mutateAsync({ citationId: citation.id, decision, note });
      showCitation(queries, conversationId, reviewed);
      announce(decision === null ? 'Decision taken back' : `Citation ${decision}`);
    },
    [mutateAsync, queries, conversationId],
  );
  const review = useCallback(
    (citation: Citation, decision: 'accepted' | 'disputed') => {
      look(citation.message_id);
      if (decision === 'disputed') setDisputed(citation);
      else
        put(citation, citation.review?.decision === 'accepted' ? null : 'accepted', '').catch((error: unknown) =>
          toast(messageOf(error), 'bad'),
        );
    },
    [put, look],
  );

  useCitationKeys(
    useMemo(() => {
      const on = (act: (citation: Citation) => void) => (chip: HTMLElement) => {
        const citation = citationOf(chip, messages) ?? citationOfReport(chip, queries);
        if (citation) act(citation);
      };
      return {
        reached: on((citation) => (isReading ? open(citation) : look(citation.message_id))),
        accept: on((citation) => review(citation, 'accepted')),
        dispute: on((citation) => review(citation, 'disputed')),
      };
    }, [messages, queries, isReading, open, look, review]),
  );

  const dispute = async (note: string) => {
    if (disputed) await put(disputed, 'disputed', note);
  };
  return { review, disputed, close: () => setDisputed(null), dispute };
}

function citationOf(chip: HTMLElement, messages: readonly Message[]): Citation | undefined {
  const id = chip.closest<HTMLElement>('[data-message], [data-deliverable]')?.dataset.message;
  const ordinal = Number(chip.dataset.citation);
  return messages.find((message) => message.id === id)?.citations.find((citation) => citation.ordinal === ordinal);
}

/** A report stands in the answer it was made of, and cites for itself. */
function citationOfReport(chip: HTMLElement, queries: QueryClient): Citation | undefined {
  const id = chip.closest<HTMLElement>('[data-deliverable]')?.dataset.deliverable;
  const content = id === undefined ? undefined : queries.getQueryData(contentQuery(id).queryKey);
  return content && (reportOf(content).marks[Number(chip.dataset.citation)]?.citation ?? undefined);
}
