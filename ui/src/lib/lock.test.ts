import { afterEach, expect, test } from 'vitest';
import { withLock } from './lock';

afterEach(() => localStorage.clear());

/** Runs as two tabs would: both want the lock at the same moment. */
test('two tabs without Web Locks take turns', async () => {
  const steps: string[] = [];
  const work = (tab: string) =>
    withLock('test', async () => {
      steps.push(`${tab} in`);
      await new Promise((resolve) => setTimeout(resolve, 5));
      steps.push(`${tab} out`);
    });
  await Promise.all([work('a'), work('b')]);
  const [first] = (steps[0] ?? '').split(' ');
  const second = first === 'a' ? 'b' : 'a';
  expect(steps).toEqual([`${first} in`, `${first} out`, `${second} in`, `${second} out`]);
});

test('the lock is free again after a failure', async () => {
  await expect(withLock('test', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await withLock('test', () => Promise.resolve(7))).toBe(7);
});
