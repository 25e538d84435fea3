/** Opening what a deliverable cites, beside it. */
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { Passage } from '@/features/evidence/marks';
import { type ReadingSearch, withoutReading } from '@/features/reading/place';
import { toast } from '@/lib/announce';
import { type Command, useCommands } from '@/lib/commands';
import type { Citation } from '@/lib/conversationWire';
import { showRight } from '@/lib/panes';
import { messageOf } from '@/lib/problem';
import { placeOf } from '../conversation/useReading';

export function useBesideReading(id: string, isOpen: boolean) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const place = useCallback((reading: ReadingSearch) => void navigate({ to: '/deliverables/$id', params: { id }, search: (now) => ({ ...withoutReading(now), ...reading }) }), [navigate, id]);
  const show = useCallback(
    (reading: ReadingSearch) => {
      place(reading);
      showRight();
    },
    [place],
  );
  const open = useCallback(
    (citation: Citation) => {
      const opened = (reading: ReadingSearch | null) => (reading === null ? toast('This source was deleted.', 'plain') : show(reading));
      placeOf(queries, citation).then(opened, (error: unknown) => toast(messageOf(error), 'bad'));
    },
    [queries, show],
  );
  const openDocument = useCallback((doc: string) => show({ doc }), [show]);
  const openPassage = useCallback(({ page, ...passage }: Passage) => show({ ...passage, ...(page !== null && { page }) }), [show]);
  useCommands(useMemo<readonly Command[]>(() => (isOpen ? [{ id: 'reading-close', title: 'Close the document beside', group: 'View', keys: 'escape', run: () => place({}) }] : []), [isOpen, place]));
  return useMemo(() => ({ place, open, openDocument, openPassage }), [place, open, openDocument, openPassage]);
}
