import { readlinkSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** As many as Linux follows. */
const mostLinks = 40;

/**
 * Where an output really lies: a link is not replaced by a folder, but followed, since a web server may look at what it
 * leads to. What it leads to need not exist.
 * @param path absolute
 */
export function followLink(path: string): string {
  let found = path;
  for (let links = 0; links < mostLinks; links++) {
    try {
      const next = readlinkSync(found);
      found = resolve(realpathSync(dirname(found)), next);
    } catch {
      return found;
    }
  }
  return path;
}
