import { hash } from 'node:crypto';
import { join } from 'node:path';
import { LecternError } from '../core/errors.ts';
import { hashFile, readTextFile, readWholeFile } from '../core/file-system.ts';
import {
  type BuildDatabase,
  buildDatabaseName,
  openBuildDatabase,
  type PageTexts,
  type RenderedRow,
} from '../output/database/build-database.ts';
import type { WrittenFile } from '../output/output.ts';
import { partOf } from '../site/plan/parts.ts';

/** The file of a shard that is written last: a {@link ShardInfo} as JSON. */
export const shardMarker = 'shard.json';

/** Folder of the pages in a shard. */
export const pagesFolder = 'pages';

/** What a shard was built from; equal in all shards of a build. */
export interface ShardInputs {
  /** Name and version of the program, for messages. */
  readonly generator: string;
  /** Result of `hashProgram`. */
  readonly program: string;
  /** Result of `hashInputs`: program, configuration, templates, public files. */
  readonly settings: string;
  /** Hash of everything read from the source. */
  readonly source: string;
  /** `run.state` of the feed that the build continues; `null` if there is none. */
  readonly previousFeed: string | null;
}

/** Identifies a shard and its build. */
export interface ShardInfo extends ShardInputs {
  readonly shard: number;
  readonly shards: number;
  /** SHA-256 of its build database. */
  readonly database: string;
}

/** A folder with a build database of some articles, and their pages. */
interface Shard {
  /** Absolute path. */
  readonly folder: string;
  readonly info: ShardInfo;
}

/** Shard of an article, 1 to `shards`. */
export function shardOf(articleId: string, shards: number): number {
  return (partOf(articleId, 31) % shards) + 1;
}

/** @throws SHARD_DAMAGED if the folder is not a complete shard */
export function readShard(folder: string): Shard {
  return reading(folder, shardMarker, () => {
    const info = JSON.parse(readTextFile(join(folder, shardMarker))) as ShardInfo;
    if (!Number.isInteger(info.shard)) throw new Error('the file describes no shard');
    return { folder, info };
  });
}

/** A shard whose articles can be read. */
export interface OpenShard extends Shard {
  readonly database: BuildDatabase;
  /** SHA-256 of the pages, by path. */
  readonly hashes: ReadonlyMap<string, string>;
  close(): Promise<void>;
}

/** Nothing in the folder is changed. @throws SHARD_DAMAGED */
export async function openShard({ folder, info }: Shard): Promise<OpenShard> {
  try {
    const sha256 = hashFile(join(folder, buildDatabaseName));
    if (sha256 !== info.database) throw new Error('the database is not as it was written');
    const database = await openBuildDatabase(folder, { isReadOnly: true });
    const hashes = new Map(database.readFiles().map((file) => [file.path, file.sha256]));
    return { folder, info, database, hashes, close: async () => database.close() };
  } catch (cause) {
    throw damaged(folder, buildDatabaseName, cause);
  }
}

type WrittenPage = Pick<WrittenFile, 'path' | 'sha256'> & { readonly content: Uint8Array };

/** Reads a rendered article from the shards of a build. @throws SHARD_FOREIGN if its shard skipped it */
export type ReadShards = (articleId: string) => {
  readonly folder: string;
  readonly row: RenderedRow;
  readonly texts: readonly PageTexts[];
  /** Reads a page. @throws SHARD_DAMAGED if it is not as it was written */
  readonly page: (path: string) => WrittenPage;
};

/** @param shards as {@link checkShards} accepted them */
export function createShardReader(shards: readonly OpenShard[]): ReadShards {
  const byNumber = new Map(shards.map((shard) => [shard.info.shard, shard]));
  return (id) => {
    const { folder, database, hashes } = byNumber.get(shardOf(id, shards.length)) as OpenShard;
    const rendered = database.readRendered(id);
    if (rendered === null) {
      throw new LecternError(
        'SHARD_FOREIGN',
        `${folder} skipped the article ${id}, because the output given with --previous had it, and this output does not`,
        {
          hint: 'merge into that output with the cache folder of the shards, build.db included, or build the shards without --previous',
        },
      );
    }
    const page = (path: string) =>
      reading(folder, `${pagesFolder}/${path}`, () => {
        const content = readWholeFile(join(folder, pagesFolder, path));
        const sha256 = hash('sha256', content);
        if (sha256 !== hashes.get(path)) throw new Error('the page is not as it was written');
        return { path, content, sha256 };
      });
    return { folder, ...rendered, page };
  };
}

/** Reads something of a shard. @param name of the file in its folder, for messages. @throws SHARD_DAMAGED if it fails */
function reading<T>(folder: string, name: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw damaged(folder, name, cause);
  }
}

function damaged(folder: string, name: string, cause: unknown): LecternError {
  const { code } = cause as NodeJS.ErrnoException;
  const isDenied = code === 'EACCES';
  const what = code === 'ENOENT' ? 'missing' : 'damaged';
  return new LecternError(
    'SHARD_DAMAGED',
    isDenied
      ? `this user may not read ${join(folder, name)}`
      : `${folder} is not a complete shard: ${name} is ${what}`,
    {
      hint: isDenied
        ? 'change the owner or the permissions of all files of the shard'
        : 'build this shard again with lectern build --shard, and copy the whole folder',
      cause,
    },
  );
}

/**
 * Checks that the shards are of this build and complete, without duplicates.
 * @param isPublished whether the output already is this build, so that its own feed is the previous one
 * @throws SHARD_MISSING, SHARD_DUPLICATE, SHARD_FOREIGN
 */
export function checkShards(shards: readonly Shard[], build: ShardInputs, isPublished: boolean): void {
  const count = shards[0]?.info.shards ?? 1;
  const folders = new Map<number, string>();
  for (const { folder, info } of shards) {
    const reason =
      differenceOf(info, build, isPublished) ??
      (info.shards === count
        ? null
        : `is shard ${info.shard} of ${info.shards}, and ${shards[0]?.folder} is one of ${count}`);
    if (reason !== null) {
      throw new LecternError('SHARD_FOREIGN', `${folder} ${reason}`, {
        hint: 'build all shards and merge them from one snapshot (lectern fetch), with one configuration, one version, and the same --since or --previous',
      });
    }
    const other = folders.get(info.shard);
    if (other !== undefined) {
      throw new LecternError('SHARD_DUPLICATE', `${other} and ${folder} are both shard ${info.shard}`, {
        hint: 'pass each shard once',
      });
    }
    folders.set(info.shard, folder);
  }
  const missing = Array.from({ length: count }, (_, at) => at + 1).filter((number) => !folders.has(number));
  if (missing.length > 0) {
    throw new LecternError('SHARD_MISSING', `of ${count} shards, these are missing: ${missing.join(', ')}`, {
      hint: `build each with lectern build --offline --shard N/${count}, then merge all of them`,
    });
  }
}

function differenceOf(info: ShardInfo, build: ShardInputs, isPublished: boolean): string | null {
  if (info.program !== build.program) {
    return info.generator === build.generator
      ? `was built by another build of ${build.generator}, or with other packages`
      : `was built by ${info.generator}, and this is ${build.generator}`;
  }
  if (info.settings !== build.settings) return 'was built with another configuration or other templates';
  if (info.source !== build.source) return 'was built from another snapshot';
  if (!isPublished && info.previousFeed !== build.previousFeed) return 'continues another feed';
  return null;
}
