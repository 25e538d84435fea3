import { expect, test } from 'vitest';
import contract from '../../../contracts/openapi.json';
import { bodySchemaOf, chaptersOf, type Contract, fieldsOf, kindOf } from './contract';

const REAL = contract as unknown as Contract;

test('the manual has every operation of the contract, once', () => {
  const listed = [...chaptersOf(REAL).values()].flat();
  const all = Object.values(REAL.paths).flatMap((methods) => Object.keys(methods));
  expect(listed).toHaveLength(all.length);
});

test('a request is shown by its fields', () => {
  const invite = [...chaptersOf(REAL).values()]
    .flat()
    .find(({ path, method }) => path === '/api/v1/invitations' && method === 'POST');
  const fields = fieldsOf(REAL, bodySchemaOf(invite?.operation.requestBody));
  expect(fields.map(({ name }) => name).toSorted()).toEqual(['email', 'expires_in_days', 'role']);
});

test('a type is said in a few words', () => {
  expect(kindOf(REAL, { anyOf: [{ type: 'string', format: 'uuid' }, { type: 'null' }] })).toBe('string (uuid) or null');
  expect(kindOf(REAL, { type: 'array', items: { $ref: '#/components/schemas/Member' } })).toBe('list of Member');
  expect(kindOf(REAL, { $ref: '#/components/schemas/Scope' })).toBe('"read" | "write" | "admin"');
});
