// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';

const SOURCE = import.meta.dirname;
/** Who may use whom: app → pages → features → components, lib, generated. */
const MAY_USE: Record<string, readonly string[]> = {
  app: ['app', 'pages', 'features', 'components', 'lib'],
  pages: ['pages', 'features', 'components', 'lib'],
  features: ['features', 'components', 'lib'],
  components: ['components', 'lib'],
  lib: ['lib', 'generated'],
  manual: ['manual', 'components', 'lib', 'styles'],
};

function importsOf(file: string): string[] {
  const text = readFileSync(join(SOURCE, file), 'utf8');
  return [...text.matchAll(/(?:from|import)\s*\(?'([^']+)'/g)].map(([, path = '']) => {
    if (path.startsWith('@/')) return path.slice(2);
    const target = path.startsWith('.') ? relative(SOURCE, join(SOURCE, file, '..', path)) : '';
    return target.startsWith('..') ? '' : target;
  });
}

function trespasses(file: string, target: string): boolean {
  const [zone = '', feature] = file.split('/');
  const [targetZone = '', targetFeature] = target.split('/');
  const allowed = MAY_USE[zone];
  if (!allowed || target === '') return false;
  return (
    !allowed.includes(targetZone) || (zone === 'features' && targetZone === 'features' && feature !== targetFeature)
  );
}

test('every zone uses only what lies below it, and no feature another feature', () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
  const found = files.flatMap((file) =>
    importsOf(file)
      .filter((target) => trespasses(file, target))
      .map((target) => `${file} -> ${target}`),
  );
  expect(found).toEqual([]);
  expect(files.length).toBeGreaterThan(50);
});
