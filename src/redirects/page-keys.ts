import type { Output } from '../output/output.ts';
import { fileKey } from './redirect-table.ts';

/** The addresses that exist. */
export interface PageKeys {
  /** @param key as `fileKey` makes it */
  has(key: string): boolean;
}

/** Asks the output for the file of an address: a set of all of them would be one of the largest things in memory. */
export function createPageKeys(basePath: string, output: Pick<Output, 'has' | 'paths'>): PageKeys {
  // A file whose name is not in normal form lies at another path than its key says.
  const unusual = new Set<string>();
  for (const path of output.paths()) {
    if (path !== path.normalize('NFC')) unusual.add(fileKey(basePath, path));
  }
  const isFile = (path: string): boolean => output.has(path) && path === path.normalize('NFC');
  return {
    has(key) {
      if (unusual.has(key)) return true;
      if (key === basePath) return isFile('index.html');
      if (!key.startsWith(`${basePath}/`)) return false;
      const path = key.slice(basePath.length + 1);
      return isFile(`${path}/index.html`) || (!/(?:^|\/)index\.html$/.test(path) && isFile(path));
    },
  };
}
