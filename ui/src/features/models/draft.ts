/** From the fields of the forms to requests, and from the server's refusals to the fields they speak of. */
import type { Messages, Values } from '@/components/Form';
import type { ChangeModel, ModelRole, Models, NewEndpoint, NewModel, Provider, ProviderPreset } from '@/lib/modelWire';
import { ApiProblem } from '@/lib/problem';

export const PRICE_MISSING = 'model_price_missing';
const TEST_FAILED = 'model_test_failed';
/** Codes of what is wrong with a key: refused, needed, unreadable. */
const KEY_CODES = 'model_key_';
const PRICES = ['input_price', 'output_price'] as const;
const LIMITS = ['context_tokens', 'output_tokens', 'timeout_s'] as const;

export function checkEndpoint(values: Values, preset: ProviderPreset | undefined): Messages {
  const url = text(values, 'base_url');
  return {
    ...(url === '' && { base_url: 'Enter the address of the endpoint.' }),
    ...(url !== '' && !/^https?:\/\/./.test(url) && { base_url: 'It should begin with https:// or http://.' }),
    ...(preset?.needs_key === true &&
      text(values, 'api_key') === '' && { api_key: `${preset.title} needs a key. Paste it here.` }),
  };
}

export function endpointOf(values: Values): NewEndpoint {
  const key = text(values, 'api_key');
  return {
    provider: (values.provider ?? 'compatible') as Provider,
    base_url: text(values, 'base_url'),
    ...(key !== '' && { api_key: key }),
  };
}

/** What is wrong with a key belongs beside it, any other refusal of the endpoint beside its address, where that is asked. */
export function atField(error: unknown, elsewhere: 'base_url' | 'api_key' = 'base_url'): unknown {
  if (!(error instanceof ApiProblem) || error.errors.length > 0 || !error.code.startsWith('model_')) return error;
  const field = error.code.startsWith(KEY_CODES) ? 'api_key' : elsewhere;
  return withErrors(error, [{ field, message: error.message }]);
}

export function isPriceMissing(error: unknown): error is ApiProblem {
  return error instanceof ApiProblem && error.code === PRICE_MISSING;
}

export function isTestFailed(error: unknown): error is ApiProblem {
  return error instanceof ApiProblem && error.code === TEST_FAILED;
}

/** The same refusal, told at both prices. */
export function atPrices(error: ApiProblem): ApiProblem {
  return withErrors(
    error,
    PRICES.map((field) => ({ field, message: error.message })),
  );
}

export function checkModel(values: Values, needsPrice: boolean): Messages {
  const figures = [...PRICES, ...LIMITS].filter((name) => !isFigure(text(values, name)));
  const missing = needsPrice ? PRICES.filter((name) => text(values, name) === '') : [];
  return {
    ...('name' in values && text(values, 'name') === '' && { name: 'Choose a model, or type its name.' }),
    ...Object.fromEntries(figures.map((name) => [name, 'Enter a number, such as 0.15.'])),
    ...Object.fromEntries(missing.map((name) => [name, 'Enter the price, in US dollars. 0 if it is free.'])),
  };
}

export function modelOf(endpointId: string, values: Values): NewModel {
  const role = text(values, 'role');
  return {
    endpoint_id: endpointId,
    name: text(values, 'name'),
    ...(role !== '' && { role: role as ModelRole }),
    ...figuresOf(values),
  };
}

export function changeOf(version: number, values: Values): ChangeModel {
  return { expected_version: version, ...figuresOf(values) };
}

/** What the next model is likely wanted for: what nothing was chosen for yet. */
export function roleToGive({ thinking, small }: Models): ModelRole | '' {
  if (thinking?.origin !== 'workspace') return 'thinking';
  return small?.origin === 'workspace' && small.model_id !== thinking.model_id ? '' : 'small';
}

/** Prices travel as text, which keeps them exact. */
function figuresOf(values: Values): Partial<NewModel> {
  const given = (name: string) => text(values, name) !== '';
  return Object.fromEntries([
    ...PRICES.filter(given).map((name) => [name, text(values, name)]),
    ...LIMITS.filter(given).map((name) => [name, Number(text(values, name))]),
  ]) as Partial<NewModel>;
}

function isFigure(given: string): boolean {
  return given === '' || /^\d+(\.\d+)?$/.test(given);
}

function text(values: Values, name: string): string {
  return (values[name] ?? '').trim();
}

function withErrors({ status, code, title, message, retryAfterS }: ApiProblem, errors: ApiProblem['errors']) {
  return new ApiProblem({ status, code, title, detail: message, errors, retryAfterS });
}
