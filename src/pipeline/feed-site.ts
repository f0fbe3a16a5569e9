import { hash } from 'node:crypto';
import { existsSync, lstatSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import type { ResolvedConfig } from '../core/config/schema.ts';
import { LecternError } from '../core/errors.ts';
import { problem } from '../core/problems.ts';
import { type BuildReport, reportProblems } from '../core/report.ts';
import { relativePath, resolveUserFolder } from '../core/user-folder.ts';
import { type DeliveryPlace, planDelivery } from '../output/deliver-files.ts';
import { fileListPath } from '../output/file-list.ts';
import { followLink } from '../output/file-operations.ts';
import { acquireLock, type FolderLock } from '../output/lock.ts';
import { lockCache } from '../output/lock-cache.ts';
import { outputMarker, scanFolder } from '../output/previous-output.ts';
import { siblingsOf } from '../output/swap.ts';
import { build } from './build.ts';
import type { BuildOptions } from './build-options.ts';
import { finishReport } from './make-report.ts';

/**
 * Makes the feed of a built site, and puts it into the folder of that site. It is a build like every other one, whose output is the feed
 * alone, in the cache folder, where the generator of the site does not remove it: from there, files are copied into the site.
 * @param config its source is a site
 * @throws what `build` throws; PATH_UNUSABLE (exit 2), LOCKED, OUTPUT_FOREIGN_FILES, OUTPUT_UNWRITABLE
 */
export async function feedSite(config: ResolvedConfig, options: BuildOptions): Promise<BuildReport> {
  const root = siteFolder(config, options.folder);
  if (!existsSync(root)) throw folderMissing(root, options.folder);
  const cacheLock = await lockCache(resolve(options.folder, config.cache), root, options);
  try {
    const siblings = siblingsOf(followLink(root));
    const lock = await acquireLock(siblings.lock, { ...options, folder: root });
    try {
      return await feedLocked(config, options, root, lock);
    } finally {
      lock.release();
    }
  } finally {
    cacheLock?.release();
  }
}

async function feedLocked(
  config: ResolvedConfig,
  options: BuildOptions,
  root: string,
  lock: Pick<FolderLock, 'assertHeld'>,
): Promise<BuildReport> {
  const own = ownConfig(config, root, options.folder);
  const out = resolve(options.folder, own.out);
  const since = options.since ?? feedInSite(out, root);
  const { onReport: _, ...rest } = options;
  const made = await build(own, {
    ...rest,
    isInPlace: true,
    strict: false,
    ...(since === undefined ? {} : { since }),
  });
  const files = scanFolder(out, (path) => path === fileListPath);
  const delivery = planDelivery(out, files, { ...place, folder: root });
  const report = addDelivery(made, { root, out, files, foreign: delivery.foreign }, options.folder);
  await finishReport(report, options);
  lock.assertHeld();
  delivery.deliver();
  return report;
}

/** Absolute path of the site. */
export function siteFolder({ source }: ResolvedConfig, folder: string): string {
  if (source.kind !== 'site') throw new Error('the source is no site');
  return resolveUserFolder(folder, source.path);
}

const place: Omit<DeliveryPlace, 'folder'> = {
  own: 'feed',
  list: 'feed/files.json',
  last: outputMarker,
};

/** Each site has a cache of its own, in which its feed is, too. Its name is the same on every machine. */
function ownConfig(config: ResolvedConfig, root: string, folder: string): ResolvedConfig {
  const path = relativePath(folder, root);
  const cache = join(config.cache, 'feed', `${basename(root)}-${hash('sha256', path).slice(0, 8)}`);
  return { ...config, cache, out: join(cache, 'output') };
}

/** The feed in the site is continued if it is all that is left of the last run, such as in a branch with built sites. */
function feedInSite(out: string, root: string): string | undefined {
  const hasOwn = existsSync(join(out, outputMarker));
  return !hasOwn && existsSync(join(root, place.list)) && existsSync(join(root, outputMarker))
    ? root
    : undefined;
}

interface DeliveredFiles {
  readonly root: string;
  readonly out: string;
  readonly files: readonly string[];
  readonly foreign: readonly string[];
}

/** The report of the whole run: what is in the site, and which files of the site were left. */
function addDelivery(
  report: BuildReport,
  { root, out, files, foreign }: DeliveredFiles,
  folder: string,
): BuildReport {
  const kept = new Set(foreign);
  const delivered = files.filter((path) => !kept.has(path));
  const site = relativePath(folder, root);
  const problems = foreign.map((path) =>
    problem('SITE_FILE_KEPT', `${path} is a file of the site, so the one of the feed was not written`, {
      file: site === '' ? path : `${site}/${path}`,
    }),
  );
  return {
    ...report,
    out: root,
    files: delivered.length,
    bytes: delivered.reduce((sum, path) => sum + lstatSync(join(out, path)).size, 0),
    changedFiles: null,
    problems: reportProblems([...report.problems, ...problems], null, (one) => ({
      title: null,
      address: null,
      ...one,
    })),
  };
}

function folderMissing(root: string, folder: string): LecternError {
  return new LecternError('PATH_UNUSABLE', `the folder ${relative(folder, root) || root} does not exist`, {
    hint: 'build the site first, then pass the folder that its generator wrote',
    exitCode: 2,
  });
}
