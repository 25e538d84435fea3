/** What is read beside a deliverable. */
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { type ReadingSearch, withoutReading } from '@/features/reading/place';
import { useOpening } from '../useOpening';

export function useBesideReading(id: string, isOpen: boolean) {
  const navigate = useNavigate();
  const place = useCallback(
    (reading: ReadingSearch) =>
      void navigate({
        to: '/deliverables/$id',
        params: { id },
        search: (now) => ({ ...withoutReading(now), ...reading }),
      }),
    [navigate, id],
  );
  const opening = useOpening(place, isOpen);
  return useMemo(() => ({ ...opening, place }), [opening, place]);
}
