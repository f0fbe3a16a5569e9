import { dirname, join, relative, resolve, sep } from 'node:path';
import { type Problem, problem } from '../../../core/problems.ts';
import { findPages } from './find-pages.ts';

/**
 * Tells if a folder has pages of a project whose configuration is in a folder above, up to `base`. People who know other tools pass the
 * folder of the pages, and then miss navigation and addresses. The problem concerns all pages, so it has no file.
 * @param root the folder, absolute
 */
export function findProjectAbove(root: string, base: string): Problem | null {
  for (let above = dirname(root); isInside(above, base); above = dirname(above)) {
    const { config, trees } = findPages(above);
    if (config === null) continue;
    const folders = trees.map(({ folder }) => resolve(above, folder));
    if (!folders.some((folder) => isInside(folder, root) || isInside(root, folder))) return null;
    const [name, file] = [root, join(above, config.file)].map((path) =>
      relative(base, path).split(sep).join('/'),
    );
    const message = `the folder ${name} is part of the project of ${file}, whose navigation, addresses and settings are not used`;
    return problem('PROJECT_OUTSIDE', message);
  }
  return null;
}

function isInside(path: string, folder: string): boolean {
  return `${path}${sep}`.startsWith(`${folder}${sep}`);
}
