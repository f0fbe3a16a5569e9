import { folderIdentity, type SourceAdapter } from '../adapter.ts';
import { readForest } from '../normalise/category.ts';
import type { OpenFileMemory } from '../snapshot/snapshot-file.ts';
import { readFileArticles } from './file-articles.ts';
import type { FolderLocation } from './folder-read.ts';
import { listMarkdown, type MarkdownListing, refuseProject } from './list-folder.ts';
import { openMarkdownRenderer } from './markdown-renderer.ts';
import { readPlain } from './plain/read-plain.ts';
import { readPulled } from './read-pulled.ts';
import { countUnread } from './unread-files.ts';

/** An adapter that can also tell whether anything changed. */
export interface FolderAdapter extends SourceAdapter {
  /**
   * Changes if a file was written, added or removed. The next read uses the list of files made for it.
   * @throws PATH_UNUSABLE
   */
  stamp(): string;
}

/**
 * The adapter of a folder of Markdown (docs/sources.md); ids are derived from paths. Reading throws PATH_UNUSABLE and
 * GENERATOR_PROJECT.
 */
export function createFolderAdapter(location: FolderLocation): FolderAdapter {
  let listed: MarkdownListing | null = null;
  let categories: readonly unknown[] = [];
  return {
    identity: folderIdentity(location),
    async readArticles(reading) {
      const { openFiles, settings } = reading;
      const startMs = (settings.ports?.now ?? Date.now)();
      const listing = listed ?? listMarkdown(location);
      listed = null;
      refuseProject(location, listing);
      const { files, isPulled, etag } = listing;
      const open: OpenFileMemory = (key, nowMs) => openFiles(`${settings.generator} ${key}`, nowMs);
      const markdown = openMarkdownRenderer();
      const folder = { ...location, nowMs: startMs, markdown: markdown.render };
      try {
        const read = (isPulled ? readPulled : readPlain)(folder, files, open);
        categories = read.categories;
        const unread = countUnread(files.stamps.keys(), read);
        return await readFileArticles({ ...read, unread, etag }, location, reading, startMs);
      } finally {
        await markdown.close();
      }
    },
    readCategories: async () => readForest(categories, location.defaultLanguage),
    close: async () => {},
    stamp() {
      listed = null;
      listed = listMarkdown(location);
      return listed.etag;
    },
  };
}
