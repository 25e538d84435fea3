/** Models in words: who serves them, what they are used for, what they can do. */
import type { Ability, Model, ModelInUse, ModelRole, ModelTest, Provider } from '@/lib/modelWire';

/** Longer than any test takes: one that began earlier was left behind by a server that stopped. */
const LONGEST_TEST_MS = 15 * 60_000;

export const PROVIDERS: Record<Provider, string> = {
  openai: 'OpenAI',
  azure: 'Azure OpenAI',
  anthropic: 'Anthropic',
  gemini: 'Google Gemini',
  mistral: 'Mistral',
  openrouter: 'OpenRouter',
  ollama: 'Ollama',
  lm_studio: 'LM Studio',
  llama_cpp: 'llama.cpp',
  vllm: 'vLLM',
  local: 'Installed with Intelli',
  compatible: 'Compatible endpoint',
};

export const ROLES: Record<ModelRole, string> = { thinking: 'Thinking', small: 'Notes and titles' };

export const ORIGINS: Record<ModelInUse['origin'], string> = {
  workspace: 'Chosen in this workspace',
  settings: 'Set in the server’s settings',
  installed: 'Installed on this machine',
};

export const SHAPES: Record<ModelInUse['shape'], string> = {
  full: 'Asked with all rules at once',
  short: 'Asked one short task at a time',
};

export const ABILITIES: Record<Ability['name'], string> = {
  chat: 'Chat',
  streaming: 'Streaming',
  schema: 'Structured replies',
  tools: 'Tool calls',
  length: 'Long texts',
  language: 'Languages',
  citing: 'Citing',
};

export const STATES: Record<Ability['state'], string> = {
  waiting: 'not tried yet',
  running: 'being tried',
  yes: 'yes',
  partly: 'partly',
  no: 'no',
  unknown: 'not known',
  untried: 'not tried',
};

export function isTesting(test: ModelTest | null, now: number = Date.now()): boolean {
  return test !== null && test.finished_at === null && now - Date.parse(test.started_at) < LONGEST_TEST_MS;
}

/** "Testing: 3 of 7". */
export function progressOf({ abilities }: ModelTest): string {
  const tried = abilities.filter(({ state }) => state !== 'waiting' && state !== 'running').length;
  return `Testing: ${tried} of ${abilities.length}`;
}

/** "32k tokens to read (assumed), 4k to write, waits 60 s": k is a thousand. */
export function limitsOf({ context_tokens, output_tokens, timeout_s, test }: Model): string {
  const sure = isLengthFound(test) ? '' : ' (assumed)';
  return `${tokens(context_tokens)} tokens to read${sure}, ${tokens(output_tokens)} to write, waits ${timeout_s} s`;
}

/** Whether a test has found out how much the model reads; until then its limit is what was given or a default. */
function isLengthFound(test: ModelTest | null): boolean {
  const length = test?.abilities.find(({ name }) => name === 'length');
  return length !== undefined && ['yes', 'partly', 'no'].includes(length.state);
}

/** "$0.15 read, $0.60 written, per million tokens"; "no price" where none is set. */
export function priceOf({ input_price, output_price }: Model): string {
  if (input_price === null && output_price === null) return 'no price set';
  return `${dollars(input_price)} read, ${dollars(output_price)} written, per million tokens`;
}

/** "First word after 0.4 s". */
export function firstWordOf(seconds: number): string {
  return `First word after ${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
}

/** "512", "4.1k", "131k", "1M". */
export function tokens(amount: number): string {
  return new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: amount < 10_000 ? 2 : 3 })
    .format(amount)
    .replace('K', 'k');
}

function dollars(price: string | null): string {
  if (price === null) return 'unknown';
  const amount = Number(price);
  return `$${amount.toFixed(amount !== 0 && amount < 0.1 ? 3 : 2)}`;
}
