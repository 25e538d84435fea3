/** Models for tests. */
import type { Ability, Endpoint, Model, Models, ModelTest } from '@/lib/modelWire';

const AT = '2026-11-15T12:00:00Z';
const NAMES = ['chat', 'streaming', 'schema', 'tools', 'length', 'language', 'citing'] as const;

/** On a server whose data is not where commands look by themselves. */
export const INSTALL = 'intelli models install --data /srv/intelli';

export const NOTHING: Models = {
  thinking: null,
  small: null,
  installed: null,
  endpoints: [],
  install_command: INSTALL,
};

/** A test that ended, with the states in order; what is not named is able. */
export function testOf(states: readonly Ability['state'][] = [], more: Partial<ModelTest> = {}): ModelTest {
  const abilities = NAMES.map((name, position) => ({
    name,
    state: states[position] ?? ('yes' as const),
    detail: `About ${name}.`,
  }));
  return { started_at: AT, finished_at: AT, abilities, shape: 'full', problem: null, first_word_s: 0.42, ...more };
}

export function modelOf(more: Partial<Model> = {}): Model {
  return {
    id: 'm1',
    endpoint_id: 'e1',
    name: 'qwen3:8b',
    role: null,
    context_tokens: 131_072,
    output_tokens: 4_096,
    timeout_s: 60,
    input_price: null,
    output_price: null,
    test: null,
    version: 3,
    created_at: AT,
    ...more,
  };
}

export function endpointOf(more: Partial<Endpoint> = {}): Endpoint {
  return {
    id: 'e1',
    provider: 'ollama',
    base_url: 'http://127.0.0.1:11434/v1',
    key_hint: null,
    version: 2,
    created_at: AT,
    models: [],
    ...more,
  };
}

/** A workspace that chose a model for thinking. */
export function thinkingWith(model: Model): Models {
  const { id: model_id, name } = model;
  const base_url = endpointOf().base_url;
  return {
    ...NOTHING,
    thinking: {
      origin: 'workspace',
      name,
      base_url,
      model_id,
      shape: 'full',
      is_tested: model.test !== null,
      problem: null,
    },
    endpoints: [endpointOf({ models: [{ ...model, role: 'thinking' }] })],
  };
}
