/** How sure an answer is, and what it cost, as people say it. */
import type { Message } from '@/lib/conversationWire';
import { count, titleCase } from '@/lib/format';

type Confidence = NonNullable<Message['confidence']>;

/** “High confidence · 4 of 4 statements supported”. The number is not part of it: it looks more exact than it is. */
export function confidenceText({ level, summary }: Pick<Confidence, 'level' | 'summary'>): string {
  return [`${titleCase(level)} confidence`, summary].filter(Boolean).join(' · ');
}

export function confidenceNumber({ score }: Pick<Confidence, 'score'>): string {
  return `Estimated probability that this answer is right: ${Math.round(score * 100)} %`;
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

/** The name of the reasoner that quotes and does not write. */
const EXTRACTIVE = 'extractive';

/** Whether no model thought about an answer. A colleague's run names none, but without one nothing was spent. */
export function isWithoutModel({ reasoner, run_id, input_tokens, output_tokens }: Message): boolean {
  if (reasoner !== null) return reasoner === EXTRACTIVE;
  return run_id !== null && input_tokens + output_tokens === 0;
}
