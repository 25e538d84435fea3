// Fails when the first screen (entry, its static imports and styles) or any lazy chunk outgrows its budget, in gzip bytes.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';

const FIRST_SCREEN_KB = 250;
const CHUNK_KB = 400;

const directory = resolve(process.argv[2] ?? join(import.meta.dirname, '../../src/intelli/_ui'));
const manifest = JSON.parse(readFileSync(join(directory, '.vite/manifest.json'), 'utf8'));
const sizeKb = (file) => gzipSync(readFileSync(join(directory, file))).length / 1024;

function filesOf(key, seen = new Set()) {
  const chunk = manifest[key];
  if (seen.has(chunk.file)) return seen;
  seen.add(chunk.file);
  for (const style of chunk.css ?? []) seen.add(style);
  for (const imported of chunk.imports ?? []) filesOf(imported, seen);
  return seen;
}

const firstScreen = [...filesOf('index.html')].reduce((sum, file) => sum + sizeKb(file), 0);
const tooLarge = Object.values(manifest).filter((chunk) => sizeKb(chunk.file) > CHUNK_KB);

console.log(`first screen: ${firstScreen.toFixed(1)} KB gzip of ${FIRST_SCREEN_KB}`);
for (const chunk of tooLarge) console.error(`${chunk.file} is over ${CHUNK_KB} KB gzip`);
if (firstScreen > FIRST_SCREEN_KB) console.error('the first screen is over its budget');
if (firstScreen > FIRST_SCREEN_KB || tooLarge.length > 0) process.exit(1);
