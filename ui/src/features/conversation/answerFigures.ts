/** How sure an answer is, and what it cost, as people say it. */
import type { Message } from '@/lib/conversationWire';
import { count } from '@/lib/format';

export function confidenceText(score: number | null): string {
  if (score === null) return '';
  const word = score >= 0.8 ? 'High' : score >= 0.5 ? 'Medium' : 'Low';
  return `${word} confidence, ${Math.round(score * 100)} %`;
}

export function costText({
  cost_cents,
  input_tokens,
  output_tokens,
}: Pick<Message, 'cost_cents' | 'input_tokens' | 'output_tokens'>): string {
  const tokens = input_tokens + output_tokens;
  if (tokens === 0 && cost_cents === 0) return 'No cost';
  // A model of one's own has no price here; what it takes elsewhere, nobody has told us.
  return cost_cents > 0 ? `${money(cost_cents)}, ${count(tokens, 'token')}` : `${count(tokens, 'token')}, no price set`;
}

/** Cents below a dollar, with as many places as tell something. */
function money(cents: number): string {
  if (cents >= 100) return `$${(cents / 100).toFixed(2)}`;
  return `${cents < 0.01 ? '< 0.01' : cents.toFixed(2)} ¢`;
}
