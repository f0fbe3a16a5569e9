import { posix } from 'node:path';
import { messageOf } from '../../../core/errors.ts';
import { withEmoji } from '../markup/emoji.ts';
import { withDollars } from '../markup/math.ts';
import { vitepressMarkup } from '../markup/vitepress.ts';
import { readTextInside } from '../safe-files.ts';
import type { ProjectConfig } from './config.ts';
import { findFolder, isOutside, normalizeFolder, type ProjectPages, plainProject } from './project-pages.ts';

/** The pages of VitePress: the folder of `.vitepress/`, or its `srcDir`, without `srcExclude` where these are literal. */
export function readVitePressProject(
  { root, file }: ProjectConfig,
  has: (path: string) => boolean,
): ProjectPages {
  let text: string;
  try {
    text = readTextInside(root, file);
  } catch (error) {
    return plainProject([], [messageOf(error)]);
  }
  const base = file.startsWith('docs/') ? 'docs' : '';
  const [, , source = '.'] = /\bsrcDir\s*:\s*(['"`])([^'"`$]+)\1/.exec(text) ?? [];
  const folder = posix.join(base, normalizeFolder(source)).replace(/^\.$/, '');
  if (folder !== '' && isOutside(folder))
    return plainProject([], [`${file}: ${folder} is read only if srcDir is a folder inside the project`]);
  const [, list = ''] = /\bsrcExclude\s*:\s*\[([^\]]*)\]/.exec(text) ?? [];
  const excluded = [...list.matchAll(/(['"`])([^'"`$]+)\1/g)].map(([, , glob = '']) => globRegex(glob));
  const start = folder === '' ? '' : `${folder}/`;
  const hiddenAs = (path: string) =>
    path.startsWith(start) && excluded.some((one) => one.test(path.slice(start.length))) ? 'private' : null;
  const isMath = /\bmath\s*:\s*true\b/.test(text);
  const plain = withEmoji(vitepressMarkup);
  const markup = isMath ? withDollars(plain) : plain;
  return { ...findFolder(folder, file, has), markup, hiddenAs };
}

/** A path pattern with `*` and `**`. */
function globRegex(glob: string): RegExp {
  const source = glob
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/\*\*\/|\*\*|\*/g, (mark) => (mark === '**/' ? '(?:.*/)?' : mark === '**' ? '.*' : '[^/]*'));
  return new RegExp(`^${source}$`);
}
