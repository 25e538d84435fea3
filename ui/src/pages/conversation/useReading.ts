/** Opening what is cited, beside the conversation: at the passage, in the version that was read. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { type Passage, toldBy, type Told } from '@/features/evidence/marks';
import { versionsQuery } from '@/features/reading/api';
import { type ReadingSearch, withoutReading } from '@/features/reading/place';
import { toast } from '@/lib/announce';
import { type Command, useCommands } from '@/lib/commands';
import type { Citation } from '@/lib/conversationWire';
import { documentQuery } from '@/lib/documents';
import { showRight } from '@/lib/panes';
import { messageOf } from '@/lib/problem';

export interface Reading {
  readonly open: (citation: Citation) => void;
  readonly openDocument: (id: string) => void;
  readonly openPassage: (passage: Passage) => void;
  readonly openEpisode: (episode: Told) => void;
  readonly place: (reading: ReadingSearch) => void;
  readonly look: (messageId: string | undefined) => void;
  /** The answer whose sources are of interest; undefined is the last one. */
  readonly shownMessage: string | undefined;
}

export function useReading(conversationId: string, isOpen: boolean): Reading {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [shownMessage, look] = useState<string>();

  const place = useCallback(
    (reading: ReadingSearch) => void navigate({ to: '/c/$id', params: { id: conversationId }, search: (now) => ({ ...withoutReading(now), ...reading }) }),
    [navigate, conversationId],
  );
  const show = useCallback(
    (reading: ReadingSearch) => {
      place(reading);
      showRight();
    },
    [place],
  );
  const openEpisode = useCallback(({ id, group }: Told) => void navigate({ to: '/memory', search: { episode: id, ...(group !== null && { group }) } }), [navigate]);
  const open = useCallback(
    (citation: Citation) => {
      look(citation.message_id);
      const told = toldBy(citation);
      if (told !== null) {
        openEpisode(told);
        return;
      }
      void placeOf(queries, citation).then(
        (reading) => {
          if (reading === null) toast('This source was deleted.', 'plain');
          else show(reading);
        },
        (error: unknown) => toast(messageOf(error), 'bad'),
      );
    },
    [queries, show, openEpisode],
  );
  const openDocument = useCallback((doc: string) => show({ doc }), [show]);
  const openPassage = useCallback(({ page, ...passage }: Passage) => show({ ...passage, ...(page !== null && { page }) }), [show]);

  useCommands(useMemo<readonly Command[]>(() => (isOpen ? [{ id: 'reading-close', title: 'Close the document beside', group: 'View', keys: 'escape', run: () => place({}) }] : []), [isOpen, place]));
  return useMemo(() => ({ open, openDocument, openPassage, openEpisode, place, look, shownMessage }), [open, openDocument, openPassage, openEpisode, place, shownMessage]);
}

/** Null when the document is gone. A newer version does not move the passage: the one that was cited is opened. */
export async function placeOf(queries: QueryClient, citation: Citation): Promise<ReadingSearch | null> {
  const { document_id: doc, char_start: start, char_end: end, page, sha256 } = citation;
  if (doc === null) return null;
  const document = await queries.fetchQuery({ ...documentQuery(doc), staleTime: 10_000 });
  const passage = { doc, start, end, ...(page !== null && { page }) };
  if (document.sha256 === sha256) return passage;
  const { pages } = await queries.fetchInfiniteQuery(versionsQuery(doc));
  const version = pages.flatMap(({ items }) => items).find((one) => one.sha256 === sha256)?.version;
  return version === undefined ? { doc } : { ...passage, version };
}
