// @vitest-environment node
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Locked {
  readonly resolved?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as {
  packages: Record<string, Locked>;
};
const packages = Object.entries(lock.packages);

test('the lock names no registry host', () => {
  expect(packages.filter(([, { resolved }]) => resolved?.startsWith('http')).map(([path]) => path)).toEqual([]);
});

// npm is silent when a registry lacks one, and `npm ci` then fails on every other platform.
test('the lock holds the packages of every platform', () => {
  const names = new Set(packages.map(([path]) => path.replace(/^.*node_modules\//, '')));
  const wanted = packages.flatMap(([, { optionalDependencies }]) => Object.keys(optionalDependencies ?? {}));
  expect(wanted.filter((name) => !names.has(name))).toEqual([]);
});
