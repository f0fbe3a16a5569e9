import { resolve } from 'node:path';
import { once } from '../core/concurrency.ts';
import type { ResolvedConfig } from '../core/config/schema.ts';
import { type BuildDatabase, openBuildDatabase } from '../output/database/build-database.ts';
import { lockCache } from '../output/lock-cache.ts';
import { openStaging, type Staging } from '../output/staging.ts';
import type { Media } from '../site/media/media.ts';
import { siteRoot } from '../site/plan/page-url.ts';
import type { FolderListing } from '../source/folder/list-folder.ts';
import type { Source } from '../source/source.ts';
import type { BuildOptions } from './build-options.ts';
import { findLastBuild, type LastBuild } from './build-record.ts';
import { listSource, openSource, type SourceOptions } from './open-source.ts';
import { findUserFiles, type UserFiles } from './user-files.ts';

/** Options of every run: of a build, of a fetch, and of each state that a preview shows. */
export interface RunOptions
  extends SourceOptions,
    Pick<BuildOptions, 'environment' | 'onWait' | 'isInPlace'> {
  /** The run writes neither to the cache folder nor to the output, so it needs no lock; absent: it locks the cache folder. */
  readonly isReader?: boolean;
}

/** The folders that a build replaces, locked for it. */
export interface RunOutput {
  readonly database: BuildDatabase;
  readonly staging: Staging;
  /** The build that made the replaced output; `null` if unknown. */
  readonly last: LastBuild | null;
}

/** A run that has begun: what it may read, and what it holds until `close`. Each part is opened by its first use. */
export interface Run {
  readonly config: ResolvedConfig;
  /** Absolute path of the cache folder. */
  readonly cache: string;
  /** Absolute path of the output. */
  readonly out: string;
  readonly userFiles: UserFiles;
  /** Reads the knowledge base. @throws what `openSource` throws */
  readonly readSnapshot: () => Promise<Pick<Source, 'snapshot' | 'stats'>>;
  /** The knowledge base without the credentials in its metadata (`redactMetadata`). @throws what `openSource` throws */
  readonly readSource: () => Promise<Source>;
  /** Lists the files of the knowledge base without opening them; `null` if it has none. @throws what `listSource` throws */
  readonly listSource: () => Promise<Pick<FolderListing, 'etag' | 'changedMs'> | null>;
  /** Prepares copying the images and files of the help centre. @throws what `openMedia` throws */
  readonly openMedia: () => Promise<Media>;
  /** Opens the build database and a staging folder. @throws what `openBuildDatabase` and `openStaging` throw */
  readonly openOutput: () => Promise<RunOutput>;
  /** Keeps a resource until the run is closed. @throws the reason of the signal of the run if it is aborted meanwhile */
  readonly keep: <Resource extends Closable>(opening: Promise<Resource>) => Promise<Resource>;
  /** Closes everything, the last opened first. What is staged and not published is removed. */
  readonly close: () => Promise<void>;
}

interface Closable {
  close(): Promise<void> | void;
}

/**
 * Begins a run, in the one way in which builds, fetches and previews do.
 * @param read reads the knowledge base; by default as the configuration says
 * @throws what `lockCache` throws; FILE_OUTSIDE (exit 2)
 */
export async function openRun(
  config: ResolvedConfig,
  options: RunOptions,
  read: typeof openSource = openSource,
): Promise<Run> {
  const cache = resolve(options.folder, config.cache);
  const out = resolve(options.folder, config.out);
  const opened: Closable[] = [];
  const close = async (): Promise<void> => {
    for (let resource = opened.pop(); resource !== undefined; resource = opened.pop()) await resource.close();
  };
  const keep = async <Resource extends Closable>(opening: Promise<Resource>): Promise<Resource> => {
    const resource = await opening;
    opened.push(resource);
    options.signal?.throwIfAborted();
    return resource;
  };
  const openOutput = async (): Promise<RunOutput> => {
    const database = await keep(openBuildDatabase(cache));
    // The callback runs after the clean-up, which may restore the output of a killed run.
    const findLast = once(() => findLastBuild(database, out));
    const staging = await openStaging(out, () => findLast()?.readOutput() ?? null, options);
    opened.push({ close: staging.discard });
    return { database, staging, last: findLast() };
  };
  const lock = options.isReader ? null : await lockCache(cache, out, options);
  opened.push({ close: () => lock?.release() });
  try {
    const readSnapshot = once(() => keep(read(config, options)));
    // A run that finds nothing new does not need it.
    const readSource = once(async () => {
      const { redactMetadata } = await import('./redact-metadata.ts');
      return redactMetadata(await readSnapshot(), config);
    });
    return {
      ...{ config, cache, out, readSnapshot, readSource, keep, close },
      userFiles: findUserFiles(config, options),
      listSource: once(() => listSource(config, options.folder)),
      openMedia: once(async () => {
        // A run that finds nothing new needs none of it.
        const { openMedia } = await import('./open-media.ts');
        return (await keep(openMedia(config, siteRoot(config.siteUrl), options))).media;
      }),
      openOutput: once(openOutput),
    };
  } catch (error) {
    await close();
    throw error;
  }
}
