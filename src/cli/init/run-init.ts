import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readVersion } from '../../build/read-version.ts';
import { parseSettings, parseSource, splitList } from '../../config/load-config.ts';
import { LecternError } from '../../foundation/errors.ts';
import { parseBaseUrl } from '../../source/base-url.ts';
import { isTerminal, writeOutput } from '../terminal.ts';
import type { InitAnswers, InitFlags, InitSource } from './ask.ts';
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
  refuseAnswers(given, 'the command line');
  const answers = isTalking
    ? await (await import('./ask.ts')).askForAnswers(flags, given.source, isTaken)
    : { ...given, source: given.source ?? missingBaseUrl() };
  refuseAnswers(answers, 'your answer');
  const version = await readVersion();
  const files = [...projectFiles(answers), ...packageFiles(answers, folder, version)];
  const apiKey = environment.LECTERN_API_KEY || null;
  const check = flags.check
    ? await (await import('./check-source.ts')).checkSource(answers, folder, apiKey)
    : [];
  // Before anything is written: a wrong folder or key shows by what it holds.
  writeOutput(check.map((line) => `${line}\n`).join(''));
  const install = answers.ci === 'none' ? null : installStep(folder, version);
  const written = await writeProject(folder, files);
  const lines = [
    ...written.map((path) => `Wrote     ${path}`),
    ...nextSteps(answers, environment, install).map(
      (step, index) => `${index === 0 ? 'Next      ' : '          '}${step}`,
    ),
  ];
  writeOutput(`${lines.join('\n')}\n`);
}

type GivenAnswers = Omit<InitAnswers, 'source'> & { readonly source: InitSource | null };

function answersFromFlags(
  flags: InitFlags,
  environment: Readonly<Record<string, string | undefined>>,
): GivenAnswers {
  const languages = splitList(flags.languages ?? '');
  return {
    source: sourceFromFlags(flags, environment),
    siteUrl: flags.siteUrl ?? null,
    title: flags.title ?? 'Help centre',
    defaultLanguage: flags.defaultLanguage ?? 'en',
    languages: languages.length === 0 ? null : languages,
    ci: flags.ci ?? 'none',
    shards: flags.shards ?? 1,
  };
}

/** `null`: neither flags nor environment name it. @throws CONFIG_INVALID (exit 2) for a kind that does not exist */
function sourceFromFlags(
  flags: InitFlags,
  environment: Readonly<Record<string, string | undefined>>,
): InitSource | null {
  const text = flags.source ?? environment.LECTERN_SOURCE;
  const { source } = parseSettings(
    text === undefined || text === '' ? {} : { source: parseSource(text) },
    () => '--source',
  );
  if (source.kind === 'folder') return { kind: 'folder', path: source.path };
  const baseUrl = flags.baseUrl ?? (environment.LECTERN_BASE_URL || null);
  if (source.kind === 'zendesk') return { kind: 'zendesk', baseUrl: baseUrl ?? missingBaseUrl() };
  return baseUrl === null ? null : { kind: 'api', baseUrl };
}

/** @throws CONFIG_INVALID, BASE_URL_INVALID, INSECURE_URL (exit 2) for what a build would refuse */
function refuseAnswers({ source, ...answers }: GivenAnswers, origin: string): void {
  const settings: Readonly<Record<string, unknown>> = configOf({
    ...answers,
    source: source ?? { kind: 'api', baseUrl: '' },
  });
  const { baseUrl: _, ...others } = settings;
  const baseUrl = source === null || source.kind === 'folder' ? {} : { baseUrl: source.baseUrl };
  parseSettings({ ...others, ...baseUrl }, () => origin);
  if (source !== null && source.kind !== 'folder') parseBaseUrl(source.baseUrl, false);
}

function missingBaseUrl(): never {
  throw new LecternError('BASE_URL_MISSING', 'the URL of the knowledge-base API is not set', {
    hint: 'pass --base-url, set LECTERN_BASE_URL, or pass --source folder:DIR; on a terminal, lectern init asks for it',
    exitCode: 2,
  });
}

/** A scheduled build installs Lectern from a `package.json`; an existing one is not changed. */
function packageFiles({ ci }: InitAnswers, folder: string, version: string): readonly ProjectFile[] {
  return ci === 'none' || existsSync(join(folder, 'package.json')) ? [] : [packageFile(version)];
}

function installStep(folder: string, version: string): string {
  const command = existsSync(join(folder, 'package.json'))
    ? `npm install --save-dev --save-exact lectern@${version}`
    : 'npm install';
  return `${command}, and commit package.json and package-lock.json`;
}

function nextSteps(
  { ci, source }: InitAnswers,
  environment: Readonly<Record<string, string | undefined>>,
  install: string | null,
): readonly string[] {
  // npm says in this variable that it runs the program: then no shell finds it by its bare name.
  const lectern = !environment.npm_command ? 'lectern' : 'npx lectern';
  const hasKey = source.kind !== 'folder';
  const secret = {
    github: ['add the secret LECTERN_API_KEY to the repository'],
    gitlab: ['add the masked variable LECTERN_API_KEY'],
    cron: ['write LECTERN_API_KEY=… to lectern.env, and run chmod 600 lectern.env'],
    none: [],
  }[ci];
  const schedule = {
    github: ['choose "GitHub Actions" under Settings > Pages'],
    gitlab: ['add a pipeline schedule'],
    cron: ['add publish-help.sh to your crontab'],
    none: [],
  }[ci];
  return [
    ...(install === null ? [] : [install]),
    ...(hasKey ? ['export LECTERN_API_KEY=…'] : []),
    `${lectern} build`,
    `${lectern} preview`,
    ...(hasKey ? secret : []),
    ...schedule,
  ];
}
