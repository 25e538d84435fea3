/** What the address of a check keeps: the statement that is looked at, and which verdicts are shown. */
import { type Verdict, VERDICTS } from '@/lib/checkWire';

export interface CheckSearch {
  readonly statement?: number;
  /** All when left out. */
  readonly verdict?: Verdict;
}

export function readCheckSearch(raw: Record<string, unknown>): CheckSearch {
  return {
    ...(typeof raw.statement === 'number' && Number.isSafeInteger(raw.statement) && { statement: raw.statement }),
    ...(typeof raw.verdict === 'string' && Object.hasOwn(VERDICTS, raw.verdict) && { verdict: raw.verdict as Verdict }),
  };
}
