import { join } from 'node:path';
import { Eta } from 'eta/core';
import { readTextFile } from '../../core/file-system.ts';
import { quoteForShell } from '../../core/quote-for-shell.ts';
import { builtInTemplates } from '../../site/pages/template-files.ts';
import type { PackageManager } from './package-manager.ts';

/** What a scheduled build needs to know. */
interface ScheduledBuild {
  readonly ci: 'github' | 'gitlab' | 'cron';
  /** Public URL of the site; a run whose last output is lost continues the feed published there. `null`: unknown. */
  readonly siteUrl: string | null;
  /** Whether the source needs a key. A folder needs none: it changes only by pushes, and is checked in pull requests. */
  readonly hasKey: boolean;
  /** Whether Lectern comes from a Git repository, so that it must be built when it is installed. */
  readonly isBuilt: boolean;
  readonly manager: PackageManager;
  /** The branch that is published. */
  readonly branch: string;
  /** Folder of the output, relative to the project. */
  readonly out: string;
  /** Folder of the cache, relative to the project. */
  readonly cache: string;
}

const templates = { github: 'github.yml', gitlab: 'gitlab.yml', cron: 'cron.sh' };

/**
 * The file with which a platform builds and publishes the site: a template of `templates/ci`. Its actions are pinned to commits, because
 * tags can be moved.
 */
export function makeSchedule({ ci, siteUrl, ...build }: ScheduledBuild): string {
  const { isBuilt, manager } = build;
  const install = isBuilt ? manager.install : `${manager.install} ${manager.withoutScripts}`;
  const since = siteUrl === null ? null : `'${new URL(siteUrl).href.replaceAll("'", '%27')}'`;
  const eta = new Eta({ autoEscape: false });
  const text = readTextFile(join(builtInTemplates, 'ci', templates[ci]));
  return eta.renderString(text, { ...build, install, since, outWord: quoteForShell(build.out, false) });
}
