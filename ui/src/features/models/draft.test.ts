import { describe, expect, test } from 'vitest';
import { ApiProblem, fieldMessagesOf } from '@/lib/problem';
import { isTesting, limitsOf, priceOf, progressOf } from './describe';
import { atField, atPrices, changeOf, checkEndpoint, checkModel, endpointOf, modelOf, roleToGive } from './draft';
import { modelOf as made, NOTHING, testOf, thinkingWith } from './testing';

const OPENAI = { provider: 'openai', title: 'OpenAI', base_url: null, needs_key: true, hint: '' } as const;
const problem = (code: string) => new ApiProblem({ status: 409, code, title: 'Refused', detail: 'Do this.' });

describe('a provider to connect', () => {
  test('needs an address of the web, and a key where the provider asks for one', () => {
    expect(Object.keys(checkEndpoint({ base_url: ' ' }, OPENAI))).toEqual(['base_url', 'api_key']);
    expect(Object.keys(checkEndpoint({ base_url: 'models.org' }, undefined))).toEqual(['base_url']);
    expect(checkEndpoint({ base_url: 'http://127.0.0.1:8080/v1' }, undefined)).toEqual({});
  });

  test('is asked for without blanks, and without a key where none was typed', () => {
    const typed = { provider: 'ollama', base_url: ' http://127.0.0.1:11434/v1 ', api_key: ' ' };
    expect(endpointOf(typed)).toEqual({ provider: 'ollama', base_url: 'http://127.0.0.1:11434/v1' });
    expect(endpointOf({ ...typed, api_key: ' k ' }).api_key).toBe('k');
  });

  test.each([
    ['model_key_refused', 'api_key'],
    ['model_key_needed', 'api_key'],
    ['model_unreachable', 'base_url'],
    ['model_address_refused', 'base_url'],
  ])('%s is told beside %s', (code, field) => {
    expect(fieldMessagesOf(atField(problem(code)))).toEqual({ [field]: 'Do this.' });
  });

  test('leaves other refusals as they are', () => {
    const forbidden = problem('forbidden');
    expect(atField(forbidden)).toBe(forbidden);
  });
});

describe('a model to add', () => {
  test('is asked for with what was filled in only', () => {
    const typed = { name: ' gpt ', role: 'small', input_price: '0.15', output_price: '', context_tokens: '8000' };
    expect(modelOf('e1', typed)).toEqual({
      endpoint_id: 'e1',
      name: 'gpt',
      role: 'small',
      input_price: '0.15',
      context_tokens: 8000,
    });
    expect(modelOf('e1', { name: 'gpt', role: '' })).toEqual({ endpoint_id: 'e1', name: 'gpt' });
    expect(changeOf(4, { timeout_s: '90' })).toEqual({ expected_version: 4, timeout_s: 90 });
  });

  test('needs a name, numbers, and prices once the server has asked for them', () => {
    expect(Object.keys(checkModel({ name: '', timeout_s: 'long' }, false))).toEqual(['name', 'timeout_s']);
    expect(Object.keys(checkModel({ name: 'gpt' }, true))).toEqual(['input_price', 'output_price']);
    expect(checkModel({ input_price: '0', output_price: '1.60' }, true)).toEqual({});
    expect(Object.keys(fieldMessagesOf(atPrices(problem('model_price_missing'))))).toEqual([
      'input_price',
      'output_price',
    ]);
  });

  test('is offered for what nothing was chosen for', () => {
    expect(roleToGive(NOTHING)).toBe('thinking');
    expect(roleToGive(thinkingWith(made()))).toBe('small');
  });
});

describe('a model in words', () => {
  test('has limits and prices', () => {
    expect(limitsOf(made({ test: testOf() }))).toBe('131k tokens to read, 4.1k to write, waits 60 s');
    expect(limitsOf(made())).toContain('131k tokens to read (assumed)');
    expect(priceOf(made())).toBe('no price set');
    expect(priceOf(made({ input_price: '0.15', output_price: '0.6' }))).toBe(
      '$0.15 read, $0.60 written, per million tokens',
    );
    expect(priceOf(made({ input_price: '0.015', output_price: '0' }))).toContain('$0.015 read, $0.00 written');
  });

  test('is being tested until its test ends, and not for ever', () => {
    const going = testOf(['yes', 'running', 'waiting', 'waiting', 'waiting', 'waiting', 'waiting'], {
      finished_at: null,
    });
    const began = Date.parse(going.started_at);
    expect(progressOf(going)).toBe('Testing: 1 of 7');
    expect(isTesting(going, began + 60_000)).toBe(true);
    expect(isTesting(going, began + 3_600_000)).toBe(false);
    expect(isTesting(testOf(), began)).toBe(false);
  });
});
