import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The search library as the browser loads it: the package's own ES module. */
export function readMiniSearch(): Promise<string> {
  const main = createRequire(import.meta.url).resolve('minisearch');
  return readFile(join(dirname(main), '../es/index.js'), 'utf8');
}
