import { existsSync } from 'node:fs';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LecternError } from '../../foundation/errors.ts';
import { makeFolder } from '../../foundation/file-system.ts';
import type { InitAnswers } from './ask.ts';
import { cronScript, githubWorkflow, gitlabPipeline } from './schedules.ts';
import { shardedGithubWorkflow, shardedGitlabPipeline } from './sharded-schedules.ts';

/** @throws PROJECT_EXISTS (exit 2) when there is a configuration or a scheduled build of this platform */
export function refuseExisting(folder: string, ci: InitAnswers['ci']): void {
  const paths = ['lectern.config.json', scheduleFiles[ci]];
  const existing = paths.find((path) => path !== null && existsSync(join(folder, path)));
  if (existing === undefined) return;
  throw new LecternError('PROJECT_EXISTS', `${existing} already exists`, {
    hint: 'edit it, or pass --force to replace it',
    exitCode: 2,
  });
}

/**
 * Writes the files of a project and adds what must not be committed to `.gitignore`.
 * @returns the paths that were written
 */
export async function writeProject(
  folder: string,
  files: readonly ProjectFile[],
): Promise<readonly string[]> {
  for (const { path, content, isExecutable } of files) {
    const file = join(folder, path);
    makeFolder(dirname(file));
    await writeFile(file, content);
    if (isExecutable) await chmod(file, 0o755);
  }
  const ignores = await addIgnores(join(folder, '.gitignore'));
  return [...files.map(({ path }) => path), ...(ignores ? ['.gitignore'] : [])];
}

async function addIgnores(file: string): Promise<boolean> {
  const text = existsSync(file) ? await readFile(file, 'utf8') : '';
  const lines = text.split('\n').map((line) => line.trim());
  const missing = ignoredPaths.filter((path) => !lines.includes(path));
  if (missing.length === 0) return false;
  const start = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  await writeFile(file, `${start}${missing.join('\n')}\n`);
  return true;
}

/** A file of a new project. */
export interface ProjectFile {
  /** Relative to the project, `/`-separated. */
  readonly path: string;
  readonly content: string;
  readonly isExecutable: boolean;
}

/** What must never be committed: packages, output (also while it is written), snapshot, and the key of a script. */
const ignoredPaths = ['/node_modules/', '/dist/', '/.dist.*', '/.lectern/', '/lectern.env'];

/** The files of a new project, besides `.gitignore` and `package.json`. */
export function projectFiles(answers: InitAnswers): readonly ProjectFile[] {
  return [
    file('lectern.config.json', `${JSON.stringify(configOf(answers), null, 2)}\n`),
    ...scheduledBuild(answers),
  ];
}

/** `package.json` of a project that has none: scheduled builds install from it and its lock file. */
export function packageFile(version: string): ProjectFile {
  const manifest = { private: true, devDependencies: { lectern: version } };
  return file('package.json', `${JSON.stringify(manifest, null, 2)}\n`);
}

/** What `lectern.config.json` will hold. */
export function configOf({ source, siteUrl, title, defaultLanguage, languages, ci }: InitAnswers) {
  return {
    $schema: './node_modules/lectern/docs/schema/config.json',
    ...(source.kind === 'folder' ? { source } : { baseUrl: source.baseUrl }),
    ...(source.kind === 'zendesk' ? { source: { kind: source.kind } } : {}),
    ...(siteUrl === null ? {} : { siteUrl }),
    defaultLanguage,
    ...(languages === null ? {} : { languages }),
    site: { title },
    // GitHub Pages knows no redirects.
    ...(ci === 'github' ? { redirects: { formats: ['html'] } } : {}),
  };
}

/** File of the scheduled build on a platform; `null` where there is none. */
export const scheduleFiles = {
  github: '.github/workflows/publish-help.yml',
  gitlab: '.gitlab-ci.yml',
  cron: 'publish-help.sh',
  none: null,
} as const satisfies Readonly<Record<InitAnswers['ci'], string | null>>;

function scheduledBuild({ ci, siteUrl, source, shards }: InitAnswers): readonly ProjectFile[] {
  const hasKey = source.kind !== 'folder';
  const sharded = { shards, hasKey, since: continueLines(siteUrl) };
  if (shards > 1 && ci === 'github') return [file(scheduleFiles.github, shardedGithubWorkflow(sharded))];
  if (shards > 1 && ci === 'gitlab') return [file(scheduleFiles.gitlab, shardedGitlabPipeline(sharded))];
  if (ci === 'github')
    return [
      file(scheduleFiles.github, githubWorkflow(buildLines('--report lectern-report.json', siteUrl), hasKey)),
    ];
  if (ci === 'gitlab') {
    const flags = '--gitlab-report gl-code-quality-report.json --report lectern-report.json';
    return [file(scheduleFiles.gitlab, gitlabPipeline(buildLines(flags, siteUrl), hasKey))];
  }
  if (ci === 'cron') {
    const script = cronScript(buildLines('--quiet --report lectern-report.json', siteUrl), hasKey);
    return [{ ...file(scheduleFiles.cron, script), isExecutable: true }];
  }
  return [];
}

/** Builds; where the last output is lost and the address of the site is known, the published feed is continued. */
function buildLines(flags: string, siteUrl: string | null): readonly string[] {
  const lines = continueLines(siteUrl);
  return [...lines, `npx --no lectern build ${flags}${lines.length === 0 ? '' : ' "$@"'}`];
}

/** Sets `$@` to what continues the published feed where the last output is lost; nothing where the site's address is not known. */
function continueLines(siteUrl: string | null): readonly string[] {
  if (siteUrl === null) return [];
  const site = `'${new URL(siteUrl).href.replaceAll("'", '%27')}'`;
  return [
    '# Without the last output, the run continues the published feed.',
    `if [ ! -f dist/feed/manifest.json ]; then set -- --since ${site}; fi`,
  ];
}

function file(path: string, content: string): ProjectFile {
  return { path, content, isExecutable: false };
}
