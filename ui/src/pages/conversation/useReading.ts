/** What is read beside a conversation, and the answer whose sources are of interest. */
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { type ReadingSearch, withoutReading } from '@/features/reading/place';
import type { Citation } from '@/lib/conversationWire';
import { type Opening, useOpening } from '../useOpening';

export interface Reading extends Opening {
  readonly place: (reading: ReadingSearch) => void;
  readonly look: (messageId: string | undefined) => void;
  /** The answer whose sources are of interest; undefined is the last one. */
  readonly shownMessage: string | undefined;
}

export function useReading(conversationId: string, isOpen: boolean): Reading {
  const navigate = useNavigate();
  const [shownMessage, look] = useState<string>();
  const place = useCallback(
    (reading: ReadingSearch) =>
      void navigate({
        to: '/c/$id',
        params: { id: conversationId },
        search: (now) => ({ ...withoutReading(now), ...reading }),
      }),
    [navigate, conversationId],
  );
  const opening = useOpening(place, isOpen);
  const open = useCallback(
    (citation: Citation) => {
      look(citation.message_id);
      opening.open(citation);
    },
    [opening],
  );
  return useMemo(() => ({ ...opening, open, place, look, shownMessage }), [opening, open, place, shownMessage]);
}
