import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { orNull } from '../../core/errors.ts';
import {
  makeFolder,
  openRanges,
  type ReadRange,
  readFileOrNull,
  removeQuietly,
  writeFileAtomically,
} from '../../core/file-system.ts';
import type { Manifest, ManifestFile } from '../../feed/read/manifest.ts';

/**
 * A copy of the files of a feed that is read from a URL: a file is downloaded once, and the copy answers while the site cannot be reached. Files are
 * named by their hashes, so several servers may use one copy.
 */
export interface FeedCopy {
  /** The manifest of the last feed that was loaded; `null` if there is none. */
  manifest(): Uint8Array | null;
  /** Adds a file. Does nothing if it cannot be written: then it is downloaded again. */
  add(file: ManifestFile, bytes: Uint8Array): void;
  /** Opens a file of the copy, which may be deleted later; `null` if it is not there. */
  open(file: ManifestFile): ReadRange | null;
  /** Makes a manifest that of the copy, and deletes files that it does not list, also those that a killed server did not complete. */
  keep(bytes: Uint8Array, manifest: Manifest): void;
}

const manifestName = 'manifest.json';

/** @param folder absolute path @throws an error of the file system if the folder cannot be made */
export function openFeedCopy(folder: string): FeedCopy {
  makeFolder(folder);
  const write = (name: string, bytes: Uint8Array): void => {
    try {
      writeFileAtomically(join(folder, name), [bytes]);
    } catch {
      return;
    }
  };
  return {
    manifest: () => readFileOrNull(join(folder, manifestName)),
    add: ({ sha256 }, bytes) => write(sha256, bytes),
    open: ({ sha256 }) => orNull(() => openRanges(join(folder, sha256))),
    keep(bytes, manifest) {
      write(manifestName, bytes);
      const kept = new Set(manifest.files.map(({ sha256 }) => sha256));
      for (const name of readdirSync(folder))
        if (/^[0-9a-f]{64}(?:\.\d+\.partial)?$/.test(name) && !kept.has(name))
          removeQuietly(join(folder, name));
    },
  };
}
