import { expect, test } from 'vitest';
import { nameOf } from './download';

test('a file is called as the server calls it, in any script', () => {
  expect(nameOf(`attachment; filename="what-is-new.evidence.zip"; filename*=UTF-8''what-is-new.evidence.zip`)).toBe(
    'what-is-new.evidence.zip',
  );
  expect(nameOf(`attachment; filename="___.zip"; filename*=UTF-8''%D0%B3%D0%BE%D0%B4.zip`)).toBe('год.zip');
});

test('without a name the browser chooses one', () => {
  expect(nameOf('')).toBe('');
});
