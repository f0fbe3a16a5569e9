import { existsSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { findSources, parseSource } from '../../core/config/find-source.ts';
import { parseSettings } from '../../core/config/load-config.ts';
import { isLocal } from '../../core/config/source-settings.ts';
import { LecternError } from '../../core/errors.ts';
import { parseBaseUrl } from '../../core/net/base-url.ts';
import { quoteForShell } from '../../core/quote-for-shell.ts';
import { isWithin } from '../../core/user-folder.ts';
import { lecternCommand } from '../command.ts';
import { onlyService, rememberedServices } from '../remembered-service.ts';
import { isTerminal, writeOutput } from '../terminal.ts';
import { addJob, findConfiguration } from './add-job.ts';
import { type InitAnswers, type InitFlags, type InitSource, languagesOf } from './ask.ts';
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

/** Runs `lectern init`: collects answers, checks each (the key against the service, too), writes the project. */
export async function runInit(flags: InitFlags): Promise<void> {
  const { env: environment } = process;
  const folder = process.cwd();
  const isTaken = (ci: InitAnswers['ci']): boolean => {
    const path = scheduleFiles[ci];
    return !flags.force && path !== null && existsSync(join(folder, path));
  };
  const isTalking = process.stdin.isTTY && isTerminal('stdout') && !environment.CI;
  const existing = flags.force ? null : findConfiguration(folder);
  if (existing !== null) return addJob(flags, existing, folder);
  // Errors that do not depend on the answers are reported before the first question.
  if (isTaken(flags.ci ?? 'none')) refuseExisting(flags.ci ?? 'none');
  const findSiteUrl = (ci: InitAnswers['ci']): string | null => findPagesUrl(ci, folder);
  const given = answersFromFlags(flags, environment);
  refuseAnswers(given, 'the command line');
  refuseUselessJob(given.ci, given.source ?? { kind: 'api' }, folder);
  const answers = isTalking
    ? await (await import('./ask.ts')).askForAnswers(flags, given.source, isTaken, findSiteUrl)
    : {
        ...given,
        source: given.source ?? missingBaseUrl(),
        siteUrl: given.siteUrl ?? findSiteUrl(given.ci) ?? missingSiteUrl(given.ci),
      };
  refuseAnswers(answers, 'your answer');
  refuseUselessJob(answers.ci, answers.source, folder);
  const folders = { out: 'dist', cache: '.lectern' };
  const configuration = `${JSON.stringify(configOf(answers), null, 2)}\n`;
  const files = [
    { path: 'lectern.config.json', content: configuration },
    ...jobFiles(answers, folder, folders),
  ];
  const apiKey = environment.LECTERN_API_KEY || null;
  const check = flags.check
    ? await (await import('./check-source.ts')).checkSource(answers, folder, apiKey)
    : [];
  // Printed before anything is written: the content shows whether folder and key are the right ones.
  writeOutput(check.map((line) => `${line}\n`).join(''));
  if (answers.siteUrl !== (flags['site-url'] ?? null)) writeOutput(`Site      ${answers.siteUrl}\n`);
  const install = answers.ci === 'none' ? null : installStep(folder);
  const written = await writeProject(folder, files, folders);
  const lines = [
    ...written.map((path) => `Wrote     ${path}`),
    ...formatSteps(nextSteps(answers, install, folder)),
  ];
  writeOutput(`${lines.join('\n')}\n`);
}

type GivenAnswers = Omit<InitAnswers, 'source'> & { readonly source: InitSource | null };

function answersFromFlags(flags: InitFlags, environment: NodeJS.ProcessEnv): GivenAnswers {
  const source = sourceFromFlags(flags, environment);
  return {
    source,
    siteUrl: flags['site-url'] ?? null,
    title: flags.title ?? null,
    defaultLanguage: flags['default-language'] ?? 'en',
    languages: languagesOf(flags),
    ci: flags.ci ?? 'none',
  };
}

/** `null` if neither flags nor environment name it. @throws CONFIG_INVALID (exit 2) for an unknown kind */
function sourceFromFlags(flags: InitFlags, environment: NodeJS.ProcessEnv): InitSource | null {
  const text = flags.source ?? environment.LECTERN_SOURCE;
  const { source } = parseSettings(
    text === undefined || text === '' ? {} : { source: parseSource(text, process.cwd()) },
    () => '--source',
  );
  if (isLocal(source)) return { kind: source.kind, path: inProject(source.path) };
  const given = flags['base-url'] ?? (environment.LECTERN_BASE_URL || null);
  if (source.kind === 'zendesk') return { kind: 'zendesk', baseUrl: given ?? missingBaseUrl() };
  const baseUrl = given ?? ((flags.ci ?? 'none') === 'none' ? findRemembered(environment) : null);
  return baseUrl === null ? null : { kind: 'api', baseUrl };
}

/** The path of a folder relative to the project if it is in it, as the configuration is read on other machines, too. */
function inProject(path: string): string {
  const folder = process.cwd();
  return isAbsolute(path) && isWithin(folder, path) ? relative(folder, path) || '.' : path;
}

/** The address of the service that was started in this folder, whose key is then used, too. A job could not reach it. */
function findRemembered(environment: NodeJS.ProcessEnv): string | null {
  const service = onlyService(process.cwd());
  if (service === null) return null;
  environment.LECTERN_API_KEY ||= service.apiKey;
  return service.baseUrl;
}

/** @throws CONFIG_INVALID (exit 2) for values that a build would refuse */
function refuseAnswers({ source, ...answers }: GivenAnswers, origin: string): void {
  const settings: Readonly<Record<string, unknown>> = configOf({
    ...answers,
    source: source ?? { kind: 'api', baseUrl: '' },
  });
  const { baseUrl: _, ...others } = settings;
  const baseUrl = source === null || isLocal(source) ? {} : { baseUrl: source.baseUrl };
  parseSettings({ ...others, ...baseUrl }, () => origin);
  if (source !== null && !isLocal(source)) parseBaseUrl(source.baseUrl, false);
}

function missingBaseUrl(): never {
  const found = findSources(process.cwd()).map(
    ({ path, content }) => `--source ${quoteForShell(path)} (${content})`,
  );
  throw new LecternError('SOURCE_MISSING', 'no source is set: a folder, a built site, or the URL of an API', {
    hint:
      found.length > 0
        ? `pass ${found.join(', or ')}; or --base-url for an API`
        : 'pass --source DIR for a folder, or --base-url for an API; on a terminal, lectern init asks for it',
  });
}

/** `null` if the site may not know its URL. @throws CONFIG_INVALID (exit 2) for Pages, whose sites are mostly below a path */
function missingSiteUrl(ci: InitAnswers['ci']): null {
  if (ci !== 'github' && ci !== 'gitlab') return null;
  throw new LecternError(
    'CONFIG_INVALID',
    `--ci ${ci} needs the URL of the site, and no git remote tells it`,
    { hint: `pass --site-url, e.g. https://acme.${ci}.io/help` },
  );
}

function nextSteps(answers: InitAnswers, install: string | null, folder: string): readonly string[] {
  const lectern = lecternCommand();
  const { source } = answers;
  const isKnown =
    isLocal(source) || rememberedServices(process.cwd()).some(({ baseUrl }) => baseUrl === source.baseUrl);
  return [
    ...placeSteps(answers.ci, folder),
    ...(install === null ? [] : [install]),
    ...(isKnown ? [] : ['export LECTERN_API_KEY=…']),
    `${lectern} build`,
    `${lectern} preview`,
    ...platformSteps(answers),
  ];
}

/** @throws TARGET_EXISTS (exit 2) */
function refuseExisting(ci: InitAnswers['ci']): never {
  throw new LecternError('TARGET_EXISTS', `${scheduleFiles[ci]} already exists`, {
    hint: 'edit it, or pass --force to replace it',
  });
}

/** Content of `lectern.config.json`. */
function configOf({ source, siteUrl, title, defaultLanguage, languages, ci }: InitAnswers) {
  return {
    $schema: './node_modules/lectern/docs/schema/config.json',
    ...(isLocal(source) ? { source } : { baseUrl: source.baseUrl }),
    ...(source.kind === 'zendesk' ? { source: { kind: source.kind } } : {}),
    ...(siteUrl === null ? {} : { siteUrl }),
    defaultLanguage,
    ...(languages === null ? {} : { languages }),
    ...(title === null ? {} : { site: { title } }),
    // GitHub Pages has no redirects.
    ...(ci === 'github' ? { redirects: { formats: ['html'] } } : {}),
  };
}
