/** Short names for what a check finds: verdicts on statements, of an answer or of a text from elsewhere. */
import type { components } from '@/generated/api';

export { VERDICTS } from '@/generated/checks';

type Schemas = components['schemas'];

export type Verdict = Schemas['Verdict'];
export type StatementKind = Schemas['StatementKind'];
export type JudgedBy = Schemas['JudgedBy'];
export type FigureSource = Schemas['FigureSource'];
export type Statement = Schemas['Statement'];
export type MessageStatements = Schemas['MessageStatements'];
export type CheckStatus = Schemas['TextCheckStatus'];
export type Stance = Schemas['Stance'];
export type FoundCitation = Schemas['FoundCitation'];
export type TextStatement = Schemas['TextStatement'];
export type VerdictCounts = Schemas['VerdictCounts'];
export type TextCheckSummary = Schemas['TextCheckSummary'];
export type TextCheck = Schemas['TextCheck'];
export type NewTextCheck = Schemas['NewTextCheck'];
export type CheckForm = Schemas['CheckForm'];

/** The worst first: what a reader should look at. */
export const VERDICT_ORDER: readonly Verdict[] = ['contradicted', 'not_supported', 'partly', 'unchecked', 'supported'];

export const VERDICT_TONES = {
  supported: 'ok',
  partly: 'warn',
  not_supported: 'bad',
  contradicted: 'bad',
  unchecked: 'plain',
} as const satisfies Record<Verdict, unknown>;

/** What decided, after a verdict: “Supported · word for word”. */
export const JUDGED_BY: Readonly<Record<JudgedBy, string>> = {
  words: 'word for word',
  model: 'judged by the model',
  entailment: 'judged by an entailment model',
  rules: 'by rules',
  nothing: 'not judged',
};

/** Statements that need no citation say so. */
export function noteOf(kind: StatementKind): string | null {
  if (kind === 'absence') return 'Not found in the sources';
  return kind === 'own' ? 'The writer’s own reckoning' : null;
}

export function isCheckOver({ status }: Pick<TextCheckSummary, 'status'>): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}
