/** What a question asks for, remembered for the next one. */
import { useState } from 'react';
import type { Wanted } from '@/lib/deliverableWire';
import { readStored, writeStored } from '@/lib/storage';
import { CHOICES } from './kinds';

const KEY = 'wanted';

export function useWanted(): readonly [Wanted, (wanted: Wanted) => void] {
  const [wanted, setWanted] = useState<Wanted>(readWanted);
  const choose = (next: Wanted) => {
    setWanted(next);
    writeStored(KEY, next);
  };
  return [wanted, choose];
}

function readWanted(): Wanted {
  const kept = readStored<string>(KEY, 'STANDARD');
  return CHOICES.find(({ value }) => value === kept)?.value ?? 'STANDARD';
}
