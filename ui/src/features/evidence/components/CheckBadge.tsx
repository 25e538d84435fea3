import { Badge } from '@/components/Marks';
import type { Check, Decision } from '@/lib/conversationWire';
import { CHECKS } from '../marks';

/** What became of the check: a sign and a word, never a colour alone. */
export function CheckBadge({ check }: { check: Check }) {
  const { word, sign, tone, meaning } = CHECKS[check];
  return (
    <Badge tone={tone}>
      <span aria-hidden>{sign}</span>
      <span title={meaning}>{word}</span>
    </Badge>
  );
}

/** What a person decided. */
export function DecisionBadge({ decision }: { decision: Decision }) {
  return (
    <Badge tone={decision === 'accepted' ? 'ok' : 'bad'}>
      <span aria-hidden>{decision === 'accepted' ? '✔' : '⚑'}</span>
      {decision === 'accepted' ? 'Accepted' : 'Disputed'}
    </Badge>
  );
}
