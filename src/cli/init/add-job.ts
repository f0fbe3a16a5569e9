import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../core/config/load-config.ts';
import { configFiles } from '../../core/config/read-config-file.ts';
import { isLocal } from '../../core/config/source-settings.ts';
import { LecternError } from '../../core/errors.ts';
import { writeOutput } from '../terminal.ts';
import type { InitFlags } from './ask.ts';
import {
  formatSteps,
  installStep,
  jobFiles,
  placeSteps,
  platformSteps,
  refuseUselessJob,
  scheduleFiles,
} from './job-files.ts';
import { findPagesUrl } from './pages-url.ts';
import { writeProject } from './write-project.ts';

/** The configuration of the project in a folder; `null`: it has none. */
export function findConfiguration(folder: string): string | null {
  return configFiles.find((name) => existsSync(join(folder, name))) ?? null;
}

/**
 * Adds a scheduled build to a project that has a configuration, which stays as it is.
 * @throws TARGET_EXISTS (exit 2) if the flags ask for another configuration, or none asks for a job
 * @throws SOURCE_MISSING, CONFIG_INVALID (exit 2) if the configuration lacks what the job needs
 */
export async function addJob(flags: InitFlags, name: string, folder: string): Promise<void> {
  const { ci = 'none' } = flags;
  if (ci === 'none') {
    throw exists(
      name,
      'edit it, pass --ci (e.g. --ci github) to add only a job, or pass --force to replace it',
    );
  }
  const others = contentFlags.filter((flag) => flags[flag] !== undefined);
  if (others.length > 0) {
    const names = others.map((flag) => `--${flag}`);
    throw exists(
      name,
      `without ${names.join(', ')}, init adds only the job; with --force, it replaces the file`,
    );
  }
  // Only the file is read: a CI system does not have the environment of this terminal.
  const { config } = await loadConfig({ file: name, environment: {}, flags: {}, folder });
  const { siteUrl = null, baseUrl, source, redirects, out, cache } = config;
  if (!isLocal(source) && baseUrl === undefined) {
    throw new LecternError('SOURCE_MISSING', `${name} does not name the API, so a job could not read it`, {
      hint: `add "baseUrl": "https://kb.example.com/v1" to ${name}`,
    });
  }
  if (siteUrl === null && ci !== 'cron') {
    const known = findPagesUrl(ci, folder) ?? `https://acme.${ci}.io/help`;
    throw new LecternError('CONFIG_INVALID', `--ci ${ci} needs the URL of the site, and ${name} has none`, {
      hint: `add "siteUrl": ${JSON.stringify(known)} to ${name}`,
    });
  }
  refuseUselessJob(ci, source, folder);
  const job = { ci, siteUrl, source };
  const path = scheduleFiles[ci];
  if (existsSync(join(folder, path))) throw exists(path, 'edit it, or delete it first');
  const install = installStep(folder);
  const written = await writeProject(folder, jobFiles(job, folder, { out, cache }), { out, cache });
  const needsStubs = ci === 'github' && !redirects.formats.includes('html');
  const steps = [
    ...placeSteps(ci, folder),
    ...(needsStubs
      ? [`add "redirects": { "formats": ["html"] } to ${name}, because GitHub Pages has no redirects`]
      : []),
    install,
    ...platformSteps(job),
    'commit everything, and push',
  ];
  const lines = [`Kept      ${name}`, ...written.map((one) => `Wrote     ${one}`), ...formatSteps(steps)];
  writeOutput(`${lines.join('\n')}\n`);
}

/** Flags that the configuration answers. */
const contentFlags = [
  'source',
  'base-url',
  'site-url',
  'title',
  'default-language',
  'languages',
] as const satisfies readonly (keyof InitFlags)[];

function exists(name: string, hint: string): LecternError {
  return new LecternError('TARGET_EXISTS', `${name} already exists`, { hint });
}
