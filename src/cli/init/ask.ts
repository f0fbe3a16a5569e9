import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
// @clack/prompts shows choices and checks an answer while it is typed, which readline of Node cannot.
import { cancel, intro, isCancel, select, text } from '@clack/prompts';
import { findSources, parseSource } from '../../core/config/find-source.ts';
import { configSchema } from '../../core/config/schema.ts';
import { isLocal } from '../../core/config/source-settings.ts';
import { LecternError } from '../../core/errors.ts';
import { isLanguageTag } from '../../core/language.ts';
import { parseBaseUrl } from '../../core/net/base-url.ts';
import { upperFirst } from '../../core/shorten.ts';
import { splitList } from '../../core/split-list.ts';
import type { FlagValues } from '../command.ts';
import type { initFlags } from '../flags.ts';

const ciSystems = [
  { value: 'github', label: 'GitHub Actions, publishing to GitHub Pages' },
  { value: 'gitlab', label: 'GitLab CI, publishing to GitLab Pages' },
  { value: 'cron', label: 'A script for cron, publishing with rsync' },
  { value: 'none', label: 'Nowhere yet' },
] as const;

/**
 * Asks on the terminal for values that no flag gives; asks again for values that a build would refuse.
 * @param given the source, if flags or the environment name it
 * @param isTaken whether the file of a scheduled build exists and must not be replaced
 * @param findSiteUrl the URL at which a platform will publish the site, if it is known
 * @throws INTERRUPTED if the user cancels
 */
export async function askForAnswers(
  flags: InitFlags,
  given: InitSource | null,
  isTaken: (ci: InitAnswers['ci']) => boolean,
  findSiteUrl: (ci: InitAnswers['ci']) => string | null,
): Promise<InitAnswers> {
  intro('A new help site');
  const source = given ?? (await askForSource());
  const title =
    flags.title ??
    // The home page of a folder or site has its name.
    (isLocal(source)
      ? null
      : await taken(
          text({
            message: 'Name of the help centre?',
            placeholder: 'Help centre',
            defaultValue: 'Help centre',
          }),
        ));
  const defaultLanguage =
    flags['default-language'] ??
    (await taken(
      text({
        message:
          source.kind === 'zendesk'
            ? 'Default locale of the help centre, e.g. en-us?'
            : 'Default language of your articles?',
        placeholder: 'en',
        defaultValue: 'en',
        validate: checkAnswer.defaultLanguage,
      }),
    ));
  const ci =
    flags.ci ??
    (await taken(
      select({
        message: 'Where should scheduled builds run?',
        options: ciSystems.map(({ value, label }) =>
          isTaken(value)
            ? { value, label: `${label} (its file exists; --force replaces it)`, disabled: true }
            : { value, label },
        ),
      }),
    ));
  const siteUrl = flags['site-url'] ?? (await askForSiteUrl(ci, findSiteUrl(ci)));
  return {
    source,
    siteUrl: siteUrl === '' ? null : siteUrl,
    title,
    defaultLanguage,
    languages: languagesOf(flags),
    ci,
  };
}

/** GitHub Pages and GitLab Pages publish most sites below a path, without which a site cannot load its style sheets. */
async function askForSiteUrl(ci: InitAnswers['ci'], found: string | null): Promise<string> {
  const isNeeded = ci === 'github' || ci === 'gitlab';
  const hint = found !== null ? ' (from the git remote)' : isNeeded ? '' : ' (empty: not known yet)';
  return taken(
    text({
      message: `Public URL of the help site?${hint}`,
      placeholder: found ?? 'https://help.example.com',
      defaultValue: found ?? '',
      validate: (answer = '') =>
        answer === '' && isNeeded && found === null
          ? 'Pages need the URL, e.g. https://acme.github.io/help'
          : checkAnswer.siteUrl(answer),
    }),
  );
}

async function askForSource(): Promise<InitSource> {
  const found = findSources(process.cwd());
  const kind = await taken(
    select<string>({
      message: 'Where are your articles?',
      options: [
        ...found.map(({ path, content }) => ({ value: `./${path}`, label: `In ${path}/ (${content})` })),
        { value: 'api', label: 'In a help centre with the HTTP API' },
        { value: 'folder', label: 'In a folder of Markdown, or a built site' },
        { value: 'zendesk', label: 'In Zendesk Guide (not yet run against the live service)' },
      ],
    }),
  );
  if (kind === 'folder' || kind.startsWith('./')) {
    const path =
      kind === 'folder'
        ? await taken(text({ message: 'Which folder?', placeholder: './docs', validate: checkAnswer.path }))
        : kind.slice(2);
    const source = parseSource(path, process.cwd());
    return { kind: source?.kind === 'site' ? 'site' : 'folder', path };
  }
  const [message, placeholder] =
    kind === 'zendesk'
      ? ['URL of the help centre?', 'https://acme.zendesk.com']
      : ['URL of the knowledge-base API?', 'https://kb.example.com/v1'];
  const baseUrl = await taken(text({ message, placeholder, validate: checkAnswer.baseUrl }));
  return { kind: kind === 'zendesk' ? kind : 'api', baseUrl };
}

async function taken<T>(question: Promise<T>): Promise<Exclude<T, symbol>> {
  const answer = await question;
  if (!isCancel(answer)) return answer as Exclude<T, symbol>;
  cancel('Nothing was written.');
  throw new LecternError('INTERRUPTED', 'lectern init was cancelled', {
    hint: 'run lectern init again, or pass the answers as flags (lectern init --help)',
    // As of every command that Ctrl-C ends, although the questions read it as a key.
    exitCode: 130,
  });
}

/** The languages that the flags name; `null`: every language of the knowledge base. */
export function languagesOf({ languages = '' }: Pick<InitFlags, 'languages'>): readonly string[] | null {
  const list = splitList(languages);
  return list.length === 0 ? null : list;
}

/** Answers for a new project. */
export interface InitAnswers {
  readonly source: InitSource;
  /** `null` if unknown. */
  readonly siteUrl: string | null;
  /** `null`: that of the home page. */
  readonly title: string | null;
  readonly defaultLanguage: string;
  /** `null`: every language of the knowledge base. */
  readonly languages: readonly string[] | null;
  readonly ci: 'github' | 'gitlab' | 'cron' | 'none';
}

/** Source of a new project's articles. */
export type InitSource =
  | { readonly kind: 'api' | 'zendesk'; readonly baseUrl: string }
  | { readonly kind: 'folder' | 'site'; readonly path: string };

type Check = (answer: string | undefined) => string | undefined;

/** Validates an answer; returns the error as a sentence, or `undefined`. */
const checkAnswer = {
  baseUrl: (answer = '') => {
    try {
      parseBaseUrl(answer, false);
    } catch (error) {
      if (error instanceof LecternError) return upperFirst(error.message);
      throw error;
    }
    return undefined;
  },
  path: (answer = '') =>
    existsSync(resolve(answer)) && answer !== '' ? undefined : 'There is no such folder',
  siteUrl: (answer = '') =>
    answer === '' || configSchema.shape.siteUrl.safeParse(answer).success
      ? undefined
      : 'Must be a URL such as https://help.example.com, or empty',
  defaultLanguage: (answer = '') => (answer === '' ? undefined : checkTag(answer)),
} as const satisfies Readonly<Record<string, Check>>;

function checkTag(tag: string): string | undefined {
  return isLanguageTag(tag) ? undefined : `${JSON.stringify(tag)} is not a language tag such as en or pt-BR`;
}

export type InitFlags = FlagValues<typeof initFlags>;
