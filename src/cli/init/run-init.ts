import { parseSettings, splitList } from '../../config/load-config.ts';
import { LecternError } from '../../errors.ts';
import { readVersion } from '../../read-version.ts';
import { withClient } from '../with-client.ts';
import type { InitAnswers } from './answers.ts';
import type { InitFlags } from './init-flags.ts';
import { configOf, projectFiles } from './project-files.ts';
import { refuseExisting, writeProject } from './write-project.ts';

/** Runs `lectern init`: gathers answers, checks them (the key against the service, too), writes the project. */
export async function runInit(flags: InitFlags): Promise<void> {
  const { stdin, stdout, env: environment } = process;
  const folder = process.cwd();
  const isTalking = Boolean(stdin.isTTY && stdout.isTTY) && !environment.CI;
  const answers = isTalking
    ? await (await import('./ask.ts')).askForAnswers(flags)
    : answersFromFlags(flags, environment);
  const files = projectFiles(answers, await readVersion());
  refuseExisting(folder, files, flags.force ?? false);
  parseSettings(configOf(answers), () => 'your answer');
  const key = flags.check ? await checkKey(answers, Boolean(environment.LECTERN_API_KEY)) : notChecked;
  const written = await writeProject(folder, files);
  const lines = [
    ...written.map((path) => `Wrote     ${path}`),
    `Key       ${key}`,
    ...nextSteps(answers, environment).map(
      (step, index) => `${index === 0 ? 'Next      ' : '          '}${step}`,
    ),
  ];
  stdout.write(`${lines.join('\n')}\n`);
}

const notChecked = 'not checked';

function answersFromFlags(
  flags: InitFlags,
  environment: Readonly<Record<string, string | undefined>>,
): InitAnswers {
  const baseUrl = flags.baseUrl ?? environment.LECTERN_BASE_URL;
  if (!baseUrl) {
    throw new LecternError('BASE_URL_MISSING', 'the address of the knowledge-base API is not set', {
      hint: 'pass --base-url or set LECTERN_BASE_URL; on a terminal lectern init asks for it',
      exitCode: 2,
    });
  }
  const languages = splitList(flags.languages ?? '');
  return {
    baseUrl,
    siteUrl: flags.siteUrl ?? null,
    title: flags.title ?? 'Help centre',
    defaultLanguage: flags.defaultLanguage ?? 'en',
    languages: languages.length === 0 ? null : languages,
    ci: flags.ci ?? 'none',
  };
}

async function checkKey({ baseUrl }: InitAnswers, hasKey: boolean): Promise<string> {
  if (!hasKey) return 'not checked: LECTERN_API_KEY is not set';
  const flags = { config: undefined, 'base-url': baseUrl, 'insecure-loopback': false };
  const categories = await withClient(flags, (client) => client.listCategories());
  return `works: the service answers with ${categories.length} categories`;
}

function nextSteps(
  { ci }: InitAnswers,
  environment: Readonly<Record<string, string | undefined>>,
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
    'export LECTERN_API_KEY=…',
    `${lectern} build`,
    `${lectern} preview`,
    ...(secret === null ? [] : [secret]),
  ];
}
