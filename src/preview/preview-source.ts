import { join, resolve } from 'node:path';
import { folderLocation, openSource } from '../build/open-source.ts';
import type { ResolvedConfig } from '../config/schema.ts';
import { createFolderAdapter, type FolderAdapter } from '../source/folder-adapter.ts';
import { readKnowledgeBase } from '../source/read-knowledge-base.ts';
import type { Source } from '../source/source.ts';

/** What a preview shows: the last snapshot of an API, or a folder as it is now. */
export interface PreviewSource {
  /** @throws SNAPSHOT_MISSING and what else opening a snapshot or reading a folder throws */
  open(config: ResolvedConfig): Promise<Source>;
  /** Absolute paths of folders to watch; none for an API. */
  places(config: ResolvedConfig): readonly string[];
  /** Whether a file of the folder was written, added or removed since it was opened. */
  hasChanged(): boolean;
}

/** @param folder relative paths of the configuration belong to it */
export function createPreviewSource(folder: string): PreviewSource {
  let current: { readonly key: string; readonly adapter: FolderAdapter } | null = null;
  let stamp = '';
  const adapterOf = (config: ResolvedConfig): FolderAdapter | null => {
    const { source } = config;
    if (source.kind !== 'folder') return null;
    const location = folderLocation(config, source, folder);
    const key = JSON.stringify(location);
    // Kept, since it remembers the files it has read.
    if (current?.key !== key) current = { key, adapter: createFolderAdapter(location, { remembers: true }) };
    return current.adapter;
  };
  return {
    async open(config) {
      const adapter = adapterOf(config);
      if (adapter === null) {
        current = null;
        const rest = { apiKey: null, offline: true, allowMassDelete: false, insecureLoopback: false };
        return openSource(config, { ...rest, folder });
      }
      stamp = adapter.stamp();
      // A snapshot of its own: what is deleted while writing must not be lost to the guard of the next build.
      return readKnowledgeBase(adapter, {
        cache: join(resolve(folder, config.cache), '.preview'),
        defaultLanguage: config.defaultLanguage,
        languages: config.languages ?? null,
        allowMassDelete: true,
        maxDropPercent: 100,
        generator: 'lectern preview',
        isDurable: false,
      });
    },
    places: (config) => adapterOf(config)?.places() ?? [],
    hasChanged: () => current !== null && current.adapter.stamp() !== stamp,
  };
}
