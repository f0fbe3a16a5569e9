import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * The search library as the browser loads it: the package's own ES module.
 * @param minified folder that may hold a minified copy; it is taken when it is of the installed version, which makes the index
 */
export async function readMiniSearch(minified: string): Promise<Uint8Array> {
  const folder = join(dirname(createRequire(import.meta.url).resolve('minisearch')), '../..');
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
  const small = join(minified, `minisearch-${version}.js`);
  return readFile(existsSync(small) ? small : join(folder, 'dist/es/index.js'));
}
