import { expect, test } from 'vitest';
import { partsOf } from './formula';

const operandsOf = (...written: string[]) => written.map((one, position) => ({ written: one, position }));
const shape = (parts: ReturnType<typeof partsOf<{ written: string; position: number }>>) =>
  parts.map(({ text, operand }) => (operand ? `[${text}:${operand.position}]` : text)).join('');

test('each number of a formula leads to its operand, and the result to none', () => {
  expect(shape(partsOf('94.3 + 61.2 + 48.2', '203.7', operandsOf('94.3', '61.2', '48.2')))).toBe(
    '[94.3:0] + [61.2:1] + [48.2:2] = 203.7',
  );
  expect(shape(partsOf('3 × 4 = 12', '12', operandsOf('3', '4')))).toBe('[3:0] × [4:1] = 12');
});

test('a number is not found inside another, and may stand twice', () => {
  expect(shape(partsOf('(14.2 − 4) / 4 × 100', '255 %', operandsOf('14.2', '4')))).toBe(
    '([14.2:0] − [4:1]) / [4:1] × 100 = 255 %',
  );
});

test('numbers that are written alike are taken in turn', () => {
  expect(shape(partsOf('5 + 5', '10', operandsOf('5', '5')))).toBe('[5:0] + [5:1] = 10');
});

test('an operand that the formula does not write out is named after it', () => {
  expect(shape(partsOf('count', '2', operandsOf('Acme', 'Birch')))).toBe('count = 2 · [Acme:0] · [Birch:1]');
  expect(shape(partsOf('1 + 1', '2', []))).toBe('1 + 1 = 2');
});
