/** Opening what is cited beside what cites it: at the passage, in the version that was read. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { type Passage, toldBy, type Told } from '@/features/evidence/marks';
import { versionsQuery } from '@/features/reading/api';
import type { ReadingSearch } from '@/features/reading/place';
import { toast } from '@/lib/announce';
import { type Command, useCommands } from '@/lib/commands';
import type { Citation } from '@/lib/conversationWire';
import { documentQuery } from '@/lib/documents';
import { showRight } from '@/lib/panes';
import { messageOf } from '@/lib/problem';

export interface Opening {
  readonly open: (citation: Citation) => void;
  readonly openDocument: (id: string) => void;
  readonly openPassage: (passage: Passage) => void;
  readonly openEpisode: (episode: Told) => void;
}

/** `place` puts a document into the address of the page; `isOpen` says that one is there, so that it can be closed. */
export function useOpening(place: (reading: ReadingSearch) => void, isOpen: boolean): Opening {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const show = useCallback(
    (reading: ReadingSearch) => {
      place(reading);
      showRight();
    },
    [place],
  );
  const openEpisode = useCallback(
    ({ id, group }: Told) =>
      void navigate({ to: '/memory', search: { episode: id, ...(group !== null && { group }) } }),
    [navigate],
  );
  const open = useCallback(
    (citation: Citation) => {
      const told = toldBy(citation);
      if (told !== null) {
        openEpisode(told);
        return;
      }
      const opened = (reading: ReadingSearch | null) =>
        reading === null ? toast('This source was deleted.', 'plain') : show(reading);
      void placeOf(queries, citation).then(opened, (error: unknown) => toast(messageOf(error), 'bad'));
    },
    [queries, show, openEpisode],
  );
  const openDocument = useCallback((doc: string) => show({ doc }), [show]);
  const openPassage = useCallback(
    ({ page, ...passage }: Passage) => show({ ...passage, ...(page !== null && { page }) }),
    [show],
  );
  useCommands(
    useMemo<readonly Command[]>(
      () =>
        isOpen
          ? [
              {
                id: 'reading-close',
                title: 'Close the document beside',
                group: 'View',
                keys: 'escape',
                run: () => place({}),
              },
            ]
          : [],
      [isOpen, place],
    ),
  );
  return useMemo(
    () => ({ open, openDocument, openPassage, openEpisode }),
    [open, openDocument, openPassage, openEpisode],
  );
}

/** Null when the document is gone. A newer version does not move the passage: the one that was cited is opened. */
async function placeOf(queries: QueryClient, citation: Citation): Promise<ReadingSearch | null> {
  const { document_id: doc, char_start: start, char_end: end, page, sha256 } = citation;
  if (doc === null) return null;
  const document = await queries.fetchQuery({ ...documentQuery(doc), staleTime: 10_000 });
  const passage = { doc, start, end, ...(page !== null && { page }) };
  if (document.sha256 === sha256) return passage;
  const { pages } = await queries.fetchInfiniteQuery(versionsQuery(doc));
  const version = pages.flatMap(({ items }) => items).find((one) => one.sha256 === sha256)?.version;
  return version === undefined ? { doc } : { ...passage, version };
}
