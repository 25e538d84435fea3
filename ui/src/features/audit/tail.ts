/** The live end of the log: newest first, each entry once, however often a stream is resumed. */
import type { AuditEntry } from '@/lib/wire';

const KEPT = 200;

export type Tail = readonly AuditEntry[];

export function reduce(tail: Tail, entry: AuditEntry): Tail {
  if (tail.some((known) => known.seq === entry.seq)) return tail;
  return [entry, ...tail].toSorted((a, b) => b.seq - a.seq).slice(0, KEPT);
}

/** Live entries before the loaded ones, without those that both hold. */
export function merge(tail: Tail, loaded: readonly AuditEntry[]): readonly AuditEntry[] {
  const known = new Set(loaded.map((entry) => entry.seq));
  return [...tail.filter((entry) => !known.has(entry.seq)), ...loaded];
}
