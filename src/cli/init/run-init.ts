import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readVersion } from '../../build/read-version.ts';
import { parseSettings, splitList } from '../../config/load-config.ts';
import { countOf } from '../../foundation/count-of.ts';
import { LecternError } from '../../foundation/errors.ts';
import { parseBaseUrl } from '../../source/base-url.ts';
import { isTerminal, writeOutput } from '../terminal.ts';
import { withClient } from '../with-client.ts';
import type { InitAnswers, InitFlags } from './answers.ts';
import {
  configOf,
  type ProjectFile,
  packageFile,
  projectFiles,
  refuseExisting,
  scheduleFiles,
  writeProject,
} from './project-files.ts';

/** Runs `lectern init`: gathers answers, checks each (the key against the service, too), writes the project. */
export async function runInit(flags: InitFlags): Promise<void> {
  const { env: environment } = process;
  const folder = process.cwd();
  const isTaken = (ci: InitAnswers['ci']): boolean => {
    const path = scheduleFiles[ci];
    return !flags.force && path !== null && existsSync(join(folder, path));
  };
  const isTalking = process.stdin.isTTY && isTerminal('stdout') && !environment.CI;
  // What can be refused without the answers is refused before the first question.
  if (!flags.force) refuseExisting(folder, flags.ci ?? 'none');
  const given = answersFromFlags(flags, environment);
  refuseAnswers(given);
  const answers = isTalking
    ? await (await import('./ask.ts')).askForAnswers(flags, isTaken)
    : { ...given, baseUrl: given.baseUrl ?? missingBaseUrl() };
  refuseAnswers(answers);
  const version = await readVersion();
  const files = [...projectFiles(answers), ...packageFiles(answers, folder, version)];
  const key = flags.check ? await checkKey(answers, Boolean(environment.LECTERN_API_KEY)) : notChecked;
  const install = answers.ci === 'none' ? null : installStep(folder, version);
  const written = await writeProject(folder, files);
  const lines = [
    ...written.map((path) => `Wrote     ${path}`),
    `Key       ${key}`,
    ...nextSteps(answers, environment, install).map(
      (step, index) => `${index === 0 ? 'Next      ' : '          '}${step}`,
    ),
  ];
  writeOutput(`${lines.join('\n')}\n`);
}

const notChecked = 'not checked';

type GivenAnswers = Omit<InitAnswers, 'baseUrl'> & { readonly baseUrl: string | null };

function answersFromFlags(
  flags: InitFlags,
  environment: Readonly<Record<string, string | undefined>>,
): GivenAnswers {
  const languages = splitList(flags.languages ?? '');
  return {
    baseUrl: flags.baseUrl ?? (environment.LECTERN_BASE_URL || null),
    siteUrl: flags.siteUrl ?? null,
    title: flags.title ?? 'Help centre',
    defaultLanguage: flags.defaultLanguage ?? 'en',
    languages: languages.length === 0 ? null : languages,
    ci: flags.ci ?? 'none',
  };
}

/** @throws CONFIG_INVALID, BASE_URL_INVALID, INSECURE_URL (exit 2) for what a build would refuse */
function refuseAnswers({ baseUrl, ...answers }: GivenAnswers): void {
  const { baseUrl: _, ...others } = configOf({ ...answers, baseUrl: '' });
  parseSettings({ ...others, ...(baseUrl === null ? {} : { baseUrl }) }, () => 'your answer');
  if (baseUrl !== null) parseBaseUrl(baseUrl, false);
}

function missingBaseUrl(): never {
  throw new LecternError('BASE_URL_MISSING', 'the URL of the knowledge-base API is not set', {
    hint: 'pass --base-url or set LECTERN_BASE_URL; on a terminal lectern init asks for it',
    exitCode: 2,
  });
}

/** A scheduled build installs Lectern from a `package.json`; one that exists is left to its owner. */
function packageFiles({ ci }: InitAnswers, folder: string, version: string): readonly ProjectFile[] {
  return ci === 'none' || existsSync(join(folder, 'package.json')) ? [] : [packageFile(version)];
}

function installStep(folder: string, version: string): string {
  const command = existsSync(join(folder, 'package.json'))
    ? `npm install --save-dev --save-exact lectern@${version}`
    : 'npm install';
  return `${command}, and commit package.json and package-lock.json`;
}

async function checkKey({ baseUrl }: InitAnswers, hasKey: boolean): Promise<string> {
  if (!hasKey) return 'not checked: LECTERN_API_KEY is not set';
  const flags = { config: undefined, 'base-url': baseUrl, 'insecure-loopback': false };
  const categories = await withClient(flags, (client) => client.listCategories());
  return `works: the service answers with ${countOf(categories.length, 'category', 'categories')}`;
}

function nextSteps(
  { ci }: InitAnswers,
  environment: Readonly<Record<string, string | undefined>>,
  install: string | null,
): readonly string[] {
  // npm says in this variable that it runs the program: then no shell finds it by its bare name.
  const lectern = !environment.npm_command ? 'lectern' : 'npx lectern';
  const secret = {
    github:
      'add the secret LECTERN_API_KEY to the repository, and choose "GitHub Actions" under Settings > Pages',
    gitlab: 'add the variable LECTERN_API_KEY (masked) and a pipeline schedule to the project',
    cron: 'put LECTERN_API_KEY=… into lectern.env, chmod 600 it, and add publish-help.sh to your crontab',
    none: null,
  }[ci];
  return [
    ...(install === null ? [] : [install]),
    'export LECTERN_API_KEY=…',
    `${lectern} build`,
    `${lectern} preview`,
    ...(secret === null ? [] : [secret]),
  ];
}
