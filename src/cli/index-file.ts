import { hash } from 'node:crypto';
import { accessSync, constants, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { LecternError, messageOf } from '../core/errors.ts';
import { makeFolder } from '../core/file-system.ts';
import { isUrl } from '../feed/read/feed-reader.ts';

interface IndexFileOptions {
  /** Cache folder; `null`: the default one, or a temporary one where that cannot be written. */
  readonly cache: string | null;
  /** Absolute path of the current folder: programs that start a server may do so in any. */
  readonly folder: string;
  /** Folder or URL of the feed. */
  readonly feed: string;
  /** What else the index depends on. */
  readonly variant: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Called with the reason if the index is temporary. */
  readonly onTemporary: (reason: string) => void;
}

interface IndexFile {
  readonly path: string;
  /** Deletes a temporary file. */
  release(): void;
}

/** Indexes of earlier versions that were not used for so long are deleted. */
const staleMs = 7 * 86_400_000;

/**
 * Chooses the file for the index of a feed, the same at each start.
 * @throws CACHE_UNUSABLE (exit 2) if a named cache folder cannot be written
 */
export function chooseIndexFile({
  cache,
  folder,
  feed,
  variant,
  now,
  onTemporary,
}: IndexFileOptions): IndexFile {
  const indexes = join(resolve(folder, cache ?? '.lectern'), 'mcp');
  const short = (text: string) => hash('sha256', text).slice(0, 16);
  const ofFeed = short(isUrl(feed) ? feed : resolve(folder, feed));
  const name = `${ofFeed}-${short(variant)}.db`;
  try {
    makeFolder(indexes);
    accessSync(indexes, constants.W_OK);
  } catch (cause) {
    const reason = `the cache folder ${indexes} cannot be written: ${messageOf(cause)}`;
    if (cache !== null) {
      throw new LecternError('CACHE_UNUSABLE', reason, {
        hint: 'choose another folder with --cache, or make this one writable',
        exitCode: 2,
        cause,
      });
    }
    onTemporary(reason);
    const temporary = mkdtempSync(join(tmpdir(), 'lectern-mcp-'));
    return {
      path: join(temporary, name),
      release: () => rmSync(temporary, { recursive: true, force: true }),
    };
  }
  for (const other of readdirSync(indexes)) {
    const path = join(indexes, other);
    if (!other.startsWith(ofFeed) || other.startsWith(name)) continue;
    const { mtimeMs = now } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (now - mtimeMs > staleMs) rmSync(path, { force: true });
  }
  return { path: join(indexes, name), release: () => {} };
}
