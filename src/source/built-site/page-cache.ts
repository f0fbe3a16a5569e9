import { join } from 'node:path';
import { makeFolder, readFileOrNull, writeFileAtomically } from '../../core/file-system.ts';
import type { SitePage } from './read-page.ts';

/** What the last run read of each file, so that unchanged ones are not parsed again. Without texts, which the snapshot has. */
export interface SitePageCache {
  /** @param fingerprint hash of the content of the file */
  find(file: string, fingerprint: string): SitePage | null;
  /** Replaces the cache by the pages of this run. Throws the error of the file system. */
  save(pages: Iterable<{ readonly page: SitePage; readonly fingerprint: string }>): void;
}

const fileName = 'site-pages.jsonl';

/** Increase it if {@link SitePage} changes, or how a page is read. */
const version = 2;

/**
 * Opens the cache in a folder. It is empty if another program or other settings made it, or if it is damaged.
 * @param key of the program and the settings that decide how a page is read
 */
export function openPageCache(folder: string, key: string): SitePageCache {
  const path = join(folder, fileName);
  const header = `${version} ${key}`;
  const known = readCache(readFileOrNull(path)?.toString() ?? '', header);
  return {
    find(file, fingerprint) {
      const entry = known.get(file);
      return entry?.fingerprint === fingerprint ? entry.page : null;
    },
    save(pages) {
      const lines = [JSON.stringify(header)];
      for (const { page, fingerprint } of pages) {
        const { urls } = page.body;
        lines.push(JSON.stringify({ fingerprint, page: { ...page, body: { html: null, urls } } }));
      }
      makeFolder(folder);
      writeFileAtomically(path, [`${lines.join('\n')}\n`]);
    },
  };
}

interface CachedPage {
  readonly fingerprint: string;
  readonly page: SitePage;
}

function readCache(text: string, header: string): ReadonlyMap<string, CachedPage> {
  const known = new Map<string, CachedPage>();
  try {
    const [first = '', ...lines] = text.trimEnd().split('\n');
    if (JSON.parse(first) !== header) return known;
    for (const line of lines) {
      const entry = JSON.parse(line) as CachedPage;
      known.set(entry.page.file, entry);
    }
  } catch {
    known.clear();
  }
  return known;
}
