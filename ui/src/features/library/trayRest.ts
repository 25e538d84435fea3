/** When the tray of uploads makes itself small, and when it goes: what went well needs nobody's attention. */
import { useQuery } from '@tanstack/react-query';
import { type HTMLAttributes, useEffect, useState } from 'react';
import { latestDocuments } from './api';
import { isBeingRead, isRunning, isTrouble, type Upload } from './uploadList';
import { clearFinished, hear } from './uploads';

const REST_MS = 8_000;
/** The stream tells how far files have been read; this only covers a stream that is cut. */
const UNREAD_MS = 10_000;

interface Tray {
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
  /** For the element that holds the tray: it stays while someone is at it. */
  readonly holding: HTMLAttributes<HTMLElement>;
}

/** Open while files are sent, small a moment later, gone a moment after the last has been read; trouble stays. */
export function useTray(uploads: readonly Upload[]): Tray {
  const [choice, setChoice] = useState<boolean | null>(null);
  const [isHeld, setHeld] = useState(false);
  const [rested, setRested] = useState(0);
  const isBusy = uploads.some(isRunning);
  const isOver = !isBusy && !uploads.some(isBeingRead) && !uploads.some(isTrouble);
  const isRested = !isBusy && rested === uploads.length;
  useEffect(() => {
    if (isBusy || isHeld || choice === true) return undefined;
    const timer = setTimeout(() => (isOver ? clearFinished() : setRested(uploads.length)), REST_MS);
    return () => clearTimeout(timer);
  }, [isBusy, isHeld, isOver, choice, uploads.length]);
  const hold = (held: boolean) => () => setHeld(held);
  return {
    isOpen: choice ?? !isRested,
    setOpen: setChoice,
    holding: { onPointerEnter: hold(true), onPointerLeave: hold(false), onFocus: hold(true), onBlur: hold(false) },
  };
}

/** One list for all files that are being read, in place of a question for each. */
export function useStandings(unread: number): void {
  const { data } = useQuery({
    queryKey: ['upload-standings'],
    queryFn: () => latestDocuments(unread),
    enabled: unread > 0,
    refetchInterval: UNREAD_MS,
    staleTime: UNREAD_MS,
  });
  useEffect(() => {
    if (data) hear(data);
  }, [data]);
}
