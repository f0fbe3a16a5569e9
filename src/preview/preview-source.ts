import { resolve } from 'node:path';
import { folderLocation, openSource } from '../build/open-source.ts';
import type { ResolvedConfig } from '../config/schema.ts';
import { createFolderAdapter, type FolderAdapter } from '../source/folder-adapter.ts';
import { createRepeatedReader, type RepeatedReader } from '../source/read-knowledge-base.ts';
import type { Source } from '../source/source.ts';

/** What a preview shows: the last snapshot of an API, or a folder as it is now. */
export interface PreviewSource {
  /** @throws SNAPSHOT_MISSING and what else opening a snapshot or reading a folder throws */
  open(config: ResolvedConfig): Promise<Source>;
  /** Absolute paths of folders to watch; none for an API. */
  folders(config: ResolvedConfig): readonly string[];
  /** Whether a file of the folder was written, added or removed since it was opened, or the folder became unreadable. */
  hasChanged(): boolean;
  /** No source that was opened can be used any more. */
  close(): Promise<void>;
}

/** A folder that is read again after every change. */
interface OpenFolder {
  readonly key: string;
  readonly adapter: FolderAdapter;
  readonly reader: RepeatedReader;
}

/** @param folder relative paths of the configuration belong to it */
export function createPreviewSource(folder: string): PreviewSource {
  let current: OpenFolder | null = null;
  const replaced: OpenFolder[] = [];
  let stamp = '';
  /** As `hasChanged` found it, for the opening that follows: a folder is listed once per change. */
  let nextStamp: string | null = null;
  const stampOf = ({ adapter }: OpenFolder): string => {
    try {
      return adapter.stamp();
    } catch (error) {
      // Reading it says why.
      return String(error);
    }
  };
  const folderOf = (config: ResolvedConfig): OpenFolder | null => {
    const { source, defaultLanguage, languages = null } = config;
    if (source.kind !== 'folder') return null;
    const location = folderLocation(config, source, folder);
    const cache = resolve(folder, config.cache);
    const key = JSON.stringify([location, cache, defaultLanguage, languages]);
    // Kept, since it remembers the files it has read.
    if (current?.key === key) return current;
    if (current !== null) replaced.push(current);
    const adapter = createFolderAdapter(location, { remembers: true });
    const settings = { cache, defaultLanguage, languages, generator: 'lectern preview' };
    current = { key, adapter, reader: createRepeatedReader(adapter, settings) };
    return current;
  };
  return {
    async open(config) {
      const opened = folderOf(config);
      if (opened === null) {
        const rest = { apiKey: null, offline: true, allowMassDelete: false, insecureLoopback: false };
        return openSource(config, { ...rest, folder });
      }
      stamp = nextStamp ?? stampOf(opened);
      nextStamp = null;
      return opened.reader.read();
    },
    folders: (config) => folderOf(config)?.adapter.folders() ?? [],
    hasChanged() {
      if (current === null) return false;
      const now = stampOf(current);
      nextStamp = now === stamp ? null : now;
      return nextStamp !== null;
    },
    async close() {
      for (const one of [...replaced, current]) await one?.reader.close();
    },
  };
}
