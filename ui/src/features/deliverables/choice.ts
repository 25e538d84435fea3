/** What the next question asks for. It holds for that one: after it, questions are answered again. */
import { useState } from 'react';
import type { Wanted } from '@/lib/deliverableWire';

export function useWanted(): readonly [Wanted, (wanted: Wanted) => void] {
  return useState<Wanted>('STANDARD');
}
