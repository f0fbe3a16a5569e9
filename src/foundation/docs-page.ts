import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../docs', import.meta.url));

/**
 * Path of a page of the documentation that is installed with the program, for hints: `node_modules/lectern/docs/settings.md`, or the absolute
 * path if the program is installed elsewhere. The `docs` of the reader's own project would be another one.
 * @param name of the page, e.g. `settings.md`
 */
export function docsPage(name: string): string {
  const path = join(folder, name);
  const fromHere = relative(process.cwd(), path);
  return fromHere.startsWith('..') ? path : fromHere;
}
