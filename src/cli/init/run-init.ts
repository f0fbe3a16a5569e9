import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseSource } from '../../core/config/find-source.ts';
import { parseSettings } from '../../core/config/load-config.ts';
import { isLocal } from '../../core/config/source-settings.ts';
import { LecternError } from '../../core/errors.ts';
import { readWholeFile } from '../../core/file-system.ts';
import { parseBaseUrl } from '../../core/net/base-url.ts';
import { splitList } from '../../core/split-list.ts';
import { isTerminal, writeOutput } from '../terminal.ts';
import { addJob, findConfiguration } from './add-job.ts';
import { checkLogo, type InitAnswers, type InitFlags, type InitSource } from './ask.ts';
import { formatSteps, installStep, jobFiles, platformSteps, scheduleFiles } from './job-files.ts';
import { findPagesUrl } from './pages-url.ts';
import { projectFile, writeProject } from './write-project.ts';

/** Runs `lectern init`: collects answers, checks each (the key against the service, too), writes the project. */
export async function runInit(flags: InitFlags): Promise<void> {
  const { env: environment } = process;
  const folder = process.cwd();
  const isTaken = (ci: InitAnswers['ci']): boolean => {
    const path = scheduleFiles[ci];
    return !flags.force && path !== null && existsSync(join(folder, path));
  };
  const isTalking = process.stdin.isTTY && isTerminal('stdout') && !environment.CI;
  const configuration = flags.force ? null : findConfiguration(folder);
  if (configuration !== null) return addJob(flags, configuration, folder);
  // Errors that do not depend on the answers are reported before the first question.
  if (isTaken(flags.ci ?? 'none')) refuseExisting(flags.ci ?? 'none');
  const findSiteUrl = (ci: InitAnswers['ci']): string | null => findPagesUrl(ci, folder);
  const given = answersFromFlags(flags, environment);
  refuseAnswers(given, 'the command line');
  const answers = isTalking
    ? await (await import('./ask.ts')).askForAnswers(flags, given.source, isTaken, findSiteUrl)
    : {
        ...given,
        source: given.source ?? missingBaseUrl(),
        siteUrl: given.siteUrl ?? findSiteUrl(given.ci) ?? missingSiteUrl(given.ci),
      };
  refuseAnswers(answers, 'your answer');
  const folders = { out: 'dist', cache: '.lectern' };
  const files = [...(await projectFiles(answers)), ...jobFiles(answers, folder, folders)];
  const apiKey = environment.LECTERN_API_KEY || null;
  const check = flags.check
    ? await (await import('./check-source.ts')).checkSource(answers, folder, apiKey)
    : [];
  // Printed before anything is written: the content shows whether folder and key are the right ones.
  writeOutput(check.map((line) => `${line}\n`).join(''));
  if (answers.siteUrl !== (flags.siteUrl ?? null)) writeOutput(`Site      ${answers.siteUrl}\n`);
  const install = answers.ci === 'none' ? null : installStep(folder);
  const written = await writeProject(folder, files, folders);
  const lines = [
    ...written.map((path) => `Wrote     ${path}`),
    ...formatSteps(nextSteps(answers, environment, install)),
  ];
  writeOutput(`${lines.join('\n')}\n`);
}

type GivenAnswers = Omit<InitAnswers, 'source'> & { readonly source: InitSource | null };

function answersFromFlags(
  flags: InitFlags,
  environment: Readonly<Record<string, string | undefined>>,
): GivenAnswers {
  const languages = splitList(flags.languages ?? '');
  const source = sourceFromFlags(flags, environment);
  return {
    source,
    siteUrl: flags.siteUrl ?? null,
    title: flags.title ?? 'Help centre',
    defaultLanguage: flags.defaultLanguage ?? 'en',
    languages: languages.length === 0 ? null : languages,
    accent: flags.accent ?? null,
    logo: flags.logo ?? null,
    ci: flags.ci ?? 'none',
  };
}

/** `null` if neither flags nor environment name it. @throws CONFIG_INVALID (exit 2) for an unknown kind */
function sourceFromFlags(
  flags: InitFlags,
  environment: Readonly<Record<string, string | undefined>>,
): InitSource | null {
  const text = flags.source ?? environment.LECTERN_SOURCE;
  const { source } = parseSettings(
    text === undefined || text === '' ? {} : { source: parseSource(text, process.cwd()) },
    () => '--source',
  );
  if (isLocal(source)) return { kind: source.kind, path: source.path };
  const baseUrl = flags.baseUrl ?? (environment.LECTERN_BASE_URL || null);
  if (source.kind === 'zendesk') return { kind: 'zendesk', baseUrl: baseUrl ?? missingBaseUrl() };
  return baseUrl === null ? null : { kind: 'api', baseUrl };
}

/** @throws CONFIG_INVALID, BASE_URL_INVALID (exit 2) for values that a build would refuse */
function refuseAnswers({ source, ...answers }: GivenAnswers, origin: string): void {
  const settings: Readonly<Record<string, unknown>> = configOf({
    ...answers,
    source: source ?? { kind: 'api', baseUrl: '' },
  });
  const { baseUrl: _, ...others } = settings;
  refuseLogo(answers);
  const baseUrl = source === null || isLocal(source) ? {} : { baseUrl: source.baseUrl };
  parseSettings({ ...others, ...baseUrl }, () => origin);
  if (source !== null && !isLocal(source)) parseBaseUrl(source.baseUrl, false);
}

/** @throws LOGO_UNUSABLE (exit 2) for a logo that is no image, or would replace another public file */
function refuseLogo({ logo }: Pick<GivenAnswers, 'logo'>): void {
  if (logo === null) return;
  const target = publicLogo(logo);
  const isOther = existsSync(target) && resolve(target) !== resolve(logo);
  const message = checkLogo(logo) ?? (isOther ? `${target} already exists` : undefined);
  if (message === undefined) return;
  throw new LecternError('LOGO_UNUSABLE', message, {
    hint: isOther
      ? `rename the logo, or pass --logo ${target} to use that file`
      : 'pass the path of an image with --logo, or no logo',
    exitCode: 2,
  });
}

/** Where a logo is published from: the folder of files that become part of the site. */
function publicLogo(logo: string): string {
  return join('public', basename(logo));
}

function missingBaseUrl(): never {
  throw new LecternError('SOURCE_MISSING', 'the URL of the knowledge-base API is not set', {
    hint: 'pass --source DIR for a folder, or --base-url for an API; on a terminal, lectern init asks for it',
    exitCode: 2,
  });
}

/** `null` if the site may not know its URL. @throws SITE_URL_UNKNOWN (exit 2) for Pages, whose sites are mostly below a path */
function missingSiteUrl(ci: InitAnswers['ci']): null {
  if (ci !== 'github' && ci !== 'gitlab') return null;
  throw new LecternError(
    'SITE_URL_UNKNOWN',
    `--ci ${ci} needs the URL of the site, and no git remote tells it`,
    {
      hint: `pass --site-url, e.g. https://acme.${ci}.io/help`,
      exitCode: 2,
    },
  );
}

function nextSteps(
  answers: InitAnswers,
  environment: Readonly<Record<string, string | undefined>>,
  install: string | null,
): readonly string[] {
  // npm sets this variable if it runs the program; then the shell cannot find the program by its bare name.
  const lectern = !environment.npm_command ? 'lectern' : 'npx lectern';
  return [
    ...(install === null ? [] : [install]),
    ...(isLocal(answers.source) ? [] : ['export LECTERN_API_KEY=…']),
    `${lectern} build`,
    `${lectern} preview`,
    ...platformSteps(answers),
  ];
}

/** @throws FILE_EXISTS (exit 2) */
function refuseExisting(ci: InitAnswers['ci']): never {
  throw new LecternError('FILE_EXISTS', `${scheduleFiles[ci]} already exists`, {
    hint: 'edit it, or pass --force to replace it',
    exitCode: 2,
  });
}

/** The configuration of a new project, and its logo. */
async function projectFiles(answers: InitAnswers) {
  const { logo } = answers;
  const isCopied = logo !== null && resolve(logo) !== resolve(publicLogo(logo));
  return [
    projectFile('lectern.config.json', `${JSON.stringify(configOf(answers), null, 2)}\n`),
    ...(isCopied ? [projectFile(publicLogo(logo), readWholeFile(logo))] : []),
  ];
}

/** Content of `lectern.config.json`. */
function configOf({ source, siteUrl, title, defaultLanguage, languages, ci, ...look }: InitAnswers) {
  const site = {
    title,
    ...(look.accent === null ? {} : { theme: { accent: look.accent } }),
    ...(look.logo === null ? {} : { logo: `/${basename(look.logo)}` }),
  };
  return {
    $schema: './node_modules/lectern/docs/schema/config.json',
    ...(isLocal(source) ? { source } : { baseUrl: source.baseUrl }),
    ...(source.kind === 'zendesk' ? { source: { kind: source.kind } } : {}),
    ...(siteUrl === null ? {} : { siteUrl }),
    defaultLanguage,
    ...(languages === null ? {} : { languages }),
    site,
    // GitHub Pages has no redirects.
    ...(ci === 'github' ? { redirects: { formats: ['html'] } } : {}),
  };
}
