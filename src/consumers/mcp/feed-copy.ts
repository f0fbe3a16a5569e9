import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder, readWholeFile, removeQuietly, writeFileAtomically } from '../../core/file-system.ts';
import type { Manifest, ManifestFile } from '../../feed/read/manifest.ts';
import { readFeedFile } from '../../feed/read/read-feed.ts';

type ReadListed = (file: ManifestFile) => Promise<Uint8Array | null>;

/**
 * A copy of the files of a feed that is read from a URL: a file is downloaded once, and the copy answers while the site cannot be reached. Files are
 * named by their hashes, so several servers may use one copy.
 */
export interface FeedCopy {
  /** The manifest of the last feed that was loaded; `null` if there is none. */
  manifest(): Uint8Array | null;
  /** Reads a file of the copy; `null` if it is not there, or damaged. */
  readonly read: ReadListed;
  /** Reads files from the copy, and others through `download`, which are then in it. */
  through(download: ReadListed): ReadListed;
  /** Makes a manifest that of the copy, and deletes files that it does not list. */
  keep(bytes: Uint8Array, manifest: Manifest): void;
}

const manifestName = 'manifest.json';

/** @param folder absolute path @throws an error of the file system if the folder cannot be made */
export function openFeedCopy(folder: string): FeedCopy {
  makeFolder(folder);
  const find = (name: string): Uint8Array | null => {
    try {
      return readWholeFile(join(folder, name));
    } catch {
      return null;
    }
  };
  /** Without a copy, the file is downloaded again. */
  const write = (name: string, bytes: Uint8Array): void => {
    try {
      writeFileAtomically(join(folder, name), [bytes]);
    } catch {
      return;
    }
  };
  const read: ReadListed = (file) => readFeedFile(async () => find(file.sha256), file);
  return {
    manifest: () => find(manifestName),
    read,
    through: (download) => async (file) => {
      const known = await read(file);
      if (known !== null) return known;
      const bytes = await download(file);
      // Now, because the index overwrites what it gets.
      if (bytes !== null) write(file.sha256, bytes);
      return bytes;
    },
    keep(bytes, manifest) {
      write(manifestName, bytes);
      const kept = new Set(manifest.files.map(({ sha256 }) => sha256));
      for (const name of readdirSync(folder))
        if (/^[0-9a-f]{64}$/.test(name) && !kept.has(name)) removeQuietly(join(folder, name));
    },
  };
}
