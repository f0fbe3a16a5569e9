import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { splitList } from '../../config/load-config.ts';
import { configSchema } from '../../config/schema.ts';
import { LecternError } from '../../foundation/errors.ts';
import { isLanguageTag } from '../../foundation/language.ts';
import { parseBaseUrl } from '../../source/base-url.ts';

/** What a new project is made from. */
export interface InitAnswers {
  readonly source: InitSource;
  /** `null`: not known yet. */
  readonly siteUrl: string | null;
  readonly title: string;
  readonly defaultLanguage: string;
  /** `null`: every language of the knowledge base. */
  readonly languages: readonly string[] | null;
  readonly ci: 'github' | 'gitlab' | 'cron' | 'none';
  /** Machines that a scheduled build is divided among; 1: it is not. */
  readonly shards: number;
}

/** Where the articles of a new project come from. */
export type InitSource =
  | { readonly kind: 'api' | 'zendesk'; readonly baseUrl: string }
  | { readonly kind: 'folder'; readonly path: string };

type Check = (answer: string | undefined) => string | undefined;

/** What is wrong with the answer to a question, as a sentence; `undefined` where a build takes it. */
export const checkAnswer = {
  baseUrl: (answer = '') => {
    try {
      parseBaseUrl(answer, false);
    } catch (error) {
      if (error instanceof LecternError) return sentence(error.message);
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
  defaultLanguage: (answer = '') => (answer === '' ? undefined : checkTags([answer])),
  languages: (answer = '') => checkTags(splitList(answer)),
} as const satisfies Readonly<Record<string, Check>>;

function checkTags(tags: readonly string[]): string | undefined {
  const wrong = tags.find((tag) => !isLanguageTag(tag));
  if (wrong === undefined) return undefined;
  return `${JSON.stringify(wrong)} is not a language tag such as en or pt-BR`;
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What the command line of `lectern init` says; what it leaves open is asked for or left at its default. */
export interface InitFlags {
  /** `api`, `zendesk`, or `folder:DIR`. */
  readonly source: string | undefined;
  readonly baseUrl: string | undefined;
  readonly siteUrl: string | undefined;
  readonly title: string | undefined;
  readonly defaultLanguage: string | undefined;
  readonly languages: string | undefined;
  readonly ci: 'github' | 'gitlab' | 'cron' | 'none' | undefined;
  readonly shards: number | undefined;
  readonly check: boolean;
  readonly force: boolean | undefined;
}
