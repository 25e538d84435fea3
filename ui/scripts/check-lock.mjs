// Fails when the lock names a registry host, or misses a platform package: `npm ci` would then work on one platform only.
import { readFileSync } from 'node:fs';

const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
const names = new Set(Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, '')));
const faults = [];

for (const [path, entry] of Object.entries(packages)) {
  if (entry.resolved?.startsWith('http')) faults.push(`${path} names a registry host`);
  for (const name of Object.keys(entry.optionalDependencies ?? {})) {
    if (!names.has(name)) faults.push(`${path} needs ${name}, which the lock does not hold`);
  }
}

if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exit(1);
}
console.log(`package-lock.json is complete: ${names.size} packages`);
