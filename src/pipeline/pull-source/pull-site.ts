import { statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { ResolvedConfig } from '../../core/config/schema.ts';
import { makeFolder, writeFileAtomically } from '../../core/file-system.ts';
import type { Problem } from '../../core/problems.ts';
import { readFileIn, relativePath } from '../../core/user-folder.ts';
import { planDelivery } from '../../output/deliver-files.ts';
import type { Source } from '../../source/source.ts';
import { guardPullRemovals } from './pull-source.ts';
import { writeSiteFolder } from './site-folder.ts';

/** A pull of a built site that was planned and not made; all paths are relative to the folder, sorted. */
interface SitePull {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** Edited or removed in the folder, and the same in the site as before: they stay as they are. */
  readonly edited: readonly string[];
  /** Different in the folder and in the site. */
  readonly conflicts: readonly string[];
  readonly problems: readonly Problem[];
  /** Writes and removes the files. */
  readonly apply: () => void;
}

/** Where a pull reads and writes; absolute paths. */
interface PullFolders {
  /** Folder of the configuration. */
  readonly base: string;
  /** Folder of the site. */
  readonly site: string;
  /** The folder to write. */
  readonly root: string;
  /** For files before they are compared. */
  readonly cache: string;
}

/** The largest image or file that is copied, in bytes: a file of a site may be a download of any size. */
const maxFileBytes = 512 * 1024 * 1024;

/**
 * Plans to write a built site as a folder of Markdown, with its images. Edits in the folder are never overwritten, unless the site decides.
 * @param theirs whether the site decides conflicts
 * @param act is called with the plan, whose files exist only meanwhile
 */
export async function withSitePull<T>(
  source: Source,
  { content }: Pick<ResolvedConfig, 'content'>,
  { base, site, root, cache }: PullFolders,
  theirs: boolean,
  act: (pull: SitePull) => Promise<T>,
): Promise<T> {
  const { iframeHosts, classes, callouts } = content;
  const { pages, files, problems } = await writeSiteFolder(source, {
    fileOf: ({ file }) => relativePath(site, resolve(base, file ?? '')),
    hasFile: (path) => isFile(site, path),
    policy: { iframeHosts, classes, callouts },
  });
  makeFolder(cache);
  const staged = await mkdtemp(join(cache, 'site-'));
  try {
    for (const [path, text] of pages) write(staged, path, text);
    for (const path of files) write(staged, path, readFileIn(site, path, maxFileBytes));
    const delivery = planDelivery(staged, [...pages.keys(), ...files].sort(), {
      ...{ folder: root, own: '.lectern-site', list: '.lectern-site/files.json' },
      ...{ isEdited: true, replacesForeign: theirs },
    });
    const { added, changed, removed, foreign, edited, deliver } = delivery;
    return await act({
      ...{ added: added.toSorted(), changed: changed.toSorted(), removed: removed.toSorted(), problems },
      edited: foreign.filter((path) => edited.has(path)),
      conflicts: foreign.filter((path) => !edited.has(path)),
      apply: deliver,
    });
  } finally {
    await rm(staged, { recursive: true, force: true });
  }
}

/** Stops a pull that would remove a large part of the pages. @throws MASS_DELETE */
export function guardPageRemovals({ removed }: Pick<SitePull, 'removed'>, pages: number): void {
  guardPullRemovals(
    'page',
    pages,
    removed.filter((path) => path.endsWith('.md')),
    'that the site was built whole',
  );
}

function isFile(site: string, path: string): boolean {
  return path !== '' && statSync(join(site, path), { throwIfNoEntry: false })?.isFile() === true;
}

function write(folder: string, path: string, content: string | Uint8Array): void {
  makeFolder(dirname(join(folder, path)));
  writeFileAtomically(join(folder, path), [content]);
}
