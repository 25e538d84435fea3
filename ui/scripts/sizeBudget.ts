/** Fails a build whose first screen (entry, its static imports and styles) or any lazy chunk outgrows its budget. */
import { gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

const FIRST_SCREEN_KB = 250;
const CHUNK_KB = 400;

type Output = Rolldown.OutputChunk | Rolldown.OutputAsset;

export function sizeBudget(): Plugin {
  return {
    name: 'size-budget',
    apply: 'build',
    writeBundle(_options, bundle) {
      const firstScreen = sum([...firstScreenOf(bundle)].map((file) => kbOf(bundle[file])));
      const tooLarge = Object.values(bundle).filter((output) => output.type === 'chunk' && kbOf(output) > CHUNK_KB);
      this.info(`first screen: ${firstScreen.toFixed(1)} KB gzip of ${FIRST_SCREEN_KB}`);
      if (firstScreen > FIRST_SCREEN_KB) this.error(`the first screen is over ${FIRST_SCREEN_KB} KB gzip`);
      for (const chunk of tooLarge) this.error(`${chunk.fileName} is over ${CHUNK_KB} KB gzip`);
    },
  };
}

function firstScreenOf(bundle: Rolldown.OutputBundle): Set<string> {
  const entry = Object.values(bundle).find(
    (output) => output.type === 'chunk' && output.facadeModuleId?.endsWith('/ui/index.html'),
  );
  if (!entry) throw new Error('the build has no entry for index.html');
  const styles = Object.keys(bundle).filter((file) => file.endsWith('.css'));
  return withImports(bundle, entry.fileName, new Set(styles));
}

function withImports(bundle: Rolldown.OutputBundle, file: string, seen: Set<string>): Set<string> {
  const output = bundle[file];
  if (seen.has(file) || output?.type !== 'chunk') return seen;
  seen.add(file);
  for (const imported of output.imports) withImports(bundle, imported, seen);
  return seen;
}

function kbOf(output: Output | undefined): number {
  if (!output) return 0;
  return gzipSync(output.type === 'chunk' ? output.code : output.source).length / 1024;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
