/** Questions that were begun and not sent: a reload keeps them. */
import { readStored, removeStored, writeStored } from '@/lib/storage';

const key = (place: string) => `draft.${place}`;

export function readDraft(place: string): string {
  return readStored(key(place), '');
}

export function keepDraft(place: string, text: string): void {
  if (text.trim() === '') removeStored(key(place));
  else writeStored(key(place), text);
}
