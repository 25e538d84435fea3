/** What a correction by hand changes: only what was changed is told. */
import type { Messages, Values } from '@/components/Form';
import type { Fact } from '@/lib/memoryWire';
import type { Correction } from './api';
import { fieldValue, fromField } from './time';

type Corrected = Pick<Fact, 'statement' | 'valid_at' | 'invalid_at'>;

export function correctionOf(
  fact: Corrected,
  { statement = '', valid_at = '', invalid_at = '', reason = '' }: Values,
): Correction {
  return {
    reason: reason.trim(),
    ...(statement.trim() !== fact.statement && { statement: statement.trim() }),
    ...(valid_at !== fieldValue(fact.valid_at) && { valid_at: fromField(valid_at) ?? null }),
    ...(invalid_at !== fieldValue(fact.invalid_at) && { invalid_at: fromField(invalid_at) ?? null }),
  };
}

/** What is wrong with it, by field. */
export function faultsOf(fact: Corrected, values: Values): Messages {
  const { statement = '', valid_at = '', invalid_at = '' } = values;
  const [from, until] = [fromField(valid_at), fromField(invalid_at)];
  if (statement.trim() === '') return { statement: 'Say what is true.' };
  if (from !== undefined && until !== undefined && from >= until) return { invalid_at: 'It ends after it begins.' };
  const { reason: _, ...changed } = correctionOf(fact, values);
  return Object.keys(changed).length === 0 ? { statement: 'Nothing is changed yet.' } : {};
}
