/** How far a check is and what it found, as people say it. */
import { type CheckStatus, type TextCheckSummary, VERDICT_ORDER, type VerdictCounts, VERDICTS } from '@/lib/checkWire';
import { count } from '@/lib/format';

export const STATUS_NAMES: Readonly<Record<CheckStatus, string>> = {
  pending: 'Waiting',
  processing: 'Checking',
  completed: 'Checked',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

export function doneOf(counts: VerdictCounts): number {
  return Object.values(counts).reduce((sum, one) => sum + one, 0);
}

/** “12 of 80 statements”; before the text is read, what the server says. */
export function progressText({ status, total, counts, message }: TextCheckSummary): string {
  if (total === null || total === 0)
    return message || (status === 'pending' ? 'Waiting for its turn' : 'Reading the text');
  return `${new Intl.NumberFormat().format(doneOf(counts))} of ${count(total, 'statement')}`;
}

/** “2 contradicted · 60 supported”: the worst first, and only what there is. */
export function countsText(counts: VerdictCounts): string {
  return VERDICT_ORDER.filter((verdict) => counts[verdict] > 0)
    .map((verdict) => `${counts[verdict]} ${VERDICTS[verdict].word.toLowerCase()}`)
    .join(' · ');
}
