import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isLocal, type SourceSettings } from '../../core/config/source-settings.ts';
import { LecternError } from '../../core/errors.ts';
import { isWithin } from '../../core/user-folder.ts';
import type { InitAnswers } from './ask.ts';
import { findInstallSpec, installedSpec, isBuiltOnInstall } from './install-spec.ts';
import { findPackageManager } from './package-manager.ts';
import { askGit, findBranch } from './pages-url.ts';
import { makeSchedule } from './schedules.ts';
import type { ProjectFile } from './write-project.ts';

/** File of the scheduled build on a platform; `null` if there is none. */
export const scheduleFiles = {
  github: '.github/workflows/publish-help.yml',
  gitlab: '.gitlab-ci.yml',
  cron: 'publish-help.sh',
  none: null,
} as const satisfies Readonly<Record<InitAnswers['ci'], string | null>>;

/** A scheduled build of a project. */
type Job = Pick<InitAnswers, 'ci' | 'siteUrl'> & {
  readonly source: Pick<SourceSettings, 'kind'>;
};

/**
 * The scheduled build, and the `package.json` from which it installs Lectern, if it is known from where; an existing one is not changed.
 * @param folders of the output and the cache, relative to the project
 */
export function jobFiles(
  { ci, siteUrl, source }: Job,
  folder: string,
  folders: { readonly out: string; readonly cache: string },
): readonly ProjectFile[] {
  if (ci === 'none') return [];
  const spec = installedSpec(folder) ?? findInstallSpec();
  const content = makeSchedule({
    ci,
    siteUrl,
    hasKey: !isLocal(source),
    isBuilt: spec !== null && isBuiltOnInstall(spec),
    manager: findPackageManager(folder),
    branch: findBranch(folder),
    ...folders,
  });
  const manifest = { private: true, devDependencies: { lectern: spec } };
  return [
    { path: scheduleFiles[ci], content, isExecutable: ci === 'cron' },
    ...(spec === null || existsSync(join(folder, 'package.json'))
      ? []
      : [{ path: 'package.json', content: `${JSON.stringify(manifest, null, 2)}\n` }]),
  ];
}

/** What to do first with a job that was written into a folder of a repository, where it never runs. */
export function placeSteps(ci: InitAnswers['ci'], folder: string): readonly string[] {
  const place = runsAtTop(ci) ? (askGit(folder, 'rev-parse', '--show-prefix') ?? '') : '';
  return place === ''
    ? []
    : [
        `make ${place} a repository of its own, or move its files to the top of this one: jobs run only there`,
      ];
}

const runsAtTop = (ci: InitAnswers['ci']): boolean => ci === 'github' || ci === 'gitlab';

/**
 * Refuses a job that would not find its source.
 * @throws CONFIG_INVALID (exit 2)
 */
export function refuseUselessJob(
  ci: InitAnswers['ci'],
  source: { readonly kind: SourceSettings['kind']; readonly path?: string },
  folder: string,
): void {
  if (!runsAtTop(ci) || source.path === undefined || isWithin(folder, resolve(folder, source.path))) return;
  throw new LecternError(
    'CONFIG_INVALID',
    `the source ${source.path} is outside of the project, so that a job does not have it`,
    { hint: 'move it into the repository, or run lectern init at the top of the repository that has it' },
  );
}

/** What to run before a scheduled build can install Lectern. */
export function installStep(folder: string): string {
  const { name, lockFile, add } = findPackageManager(folder);
  const commit = `commit package.json and ${lockFile}`;
  if (installedSpec(folder) !== null) return `${commit}, if you have not yet`;
  const spec = findInstallSpec();
  if (spec === null) return `install Lectern here as you did before, with ${add}, and ${commit}`;
  return existsSync(join(folder, 'package.json'))
    ? `${add} ${spec}, and ${commit}`
    : `${name} install, and ${commit}`;
}

/** What to set up on the platform of a scheduled build. */
export function platformSteps({ ci, siteUrl, source }: Job): readonly string[] {
  const hasKey = !isLocal(source);
  const secret = {
    github: ['add the secret LECTERN_API_KEY to the repository'],
    gitlab: ['add the masked variable LECTERN_API_KEY'],
    cron: ['write LECTERN_API_KEY=… to lectern.env, and run chmod 600 lectern.env'],
    none: [],
  }[ci];
  const schedule = {
    github: ['choose "GitHub Actions" under Settings > Pages'],
    gitlab: [
      ...(hasKey ? ['add a pipeline schedule'] : []),
      ...(siteUrl?.includes('.gitlab.io/') ? ['turn off "Use unique domain" under Deploy > Pages'] : []),
    ],
    cron: [
      'add publish-help.sh to your crontab',
      'set UPLOAD_TO in that line, e.g. to deploy@www.example.com:/var/www/help/; without it, nothing is uploaded',
    ],
    none: [],
  }[ci];
  return [...(hasKey ? secret : []), ...schedule];
}

/** The lines that name the next steps. */
export function formatSteps(steps: readonly string[]): readonly string[] {
  return steps.map((step, index) => `${index === 0 ? 'Next      ' : '          '}${step}`);
}
