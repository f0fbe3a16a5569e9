import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Path of a page of the documentation that is installed with the program, for hints.
 * @param name of the page, e.g. `settings.md`
 */
export function docsPage(name: string): string {
  return installedFile(`docs/${name}`);
}

/**
 * Path of a file that is installed with the program: `node_modules/lectern/docs/settings.md`, or the absolute path if the program is installed
 * elsewhere. The `docs` of the reader's own project would be another one.
 * @param path in the package
 */
export function installedFile(path: string): string {
  const file = join(folder, path);
  const fromHere = relative(process.cwd(), file);
  return fromHere.startsWith('..') ? file : fromHere;
}
