import { cancel, intro, isCancel, select, text } from '@clack/prompts';
import { splitList } from '../../config/load-config.ts';
import { LecternError } from '../../errors.ts';
import type { InitAnswers } from './answers.ts';
import type { InitFlags } from './init-flags.ts';

/**
 * Asks on the terminal for what the flags leave open.
 * @throws INIT_CANCELLED when the user breaks off
 */
export async function askForAnswers(flags: InitFlags): Promise<InitAnswers> {
  intro('A new help site');
  const baseUrl =
    flags.baseUrl ??
    (await taken(
      text({
        message: 'Address of the knowledge-base API?',
        placeholder: 'https://kb.example.com/v1',
        validate: (value) =>
          isWebAddress(value) ? undefined : 'An address such as https://kb.example.com/v1',
      }),
    ));
  const siteUrl =
    flags.siteUrl ??
    (await taken(
      text({
        message: 'Public address of the help site? (empty: not known yet)',
        placeholder: 'https://help.example.com',
        defaultValue: '',
        validate: (value) =>
          value === undefined || value === '' || isWebAddress(value)
            ? undefined
            : 'An address such as https://help.example.com, or nothing',
      }),
    ));
  const title =
    flags.title ?? (await taken(text({ message: 'Name of the help centre?', defaultValue: 'Help centre' })));
  const defaultLanguage =
    flags.defaultLanguage ??
    (await taken(text({ message: 'Language the articles are written in first?', defaultValue: 'en' })));
  const languages =
    flags.languages ??
    (await taken(
      text({ message: 'Languages to publish, e.g. en,de? (empty: all there are)', defaultValue: '' }),
    ));
  const ci =
    flags.ci ??
    (await taken(
      select({
        message: 'What shall build it every hour?',
        options: [
          { value: 'github', label: 'GitHub Actions, publishing to GitHub Pages' },
          { value: 'gitlab', label: 'GitLab CI, publishing to GitLab Pages' },
          { value: 'cron', label: 'A script for cron, publishing with rsync' },
          { value: 'none', label: 'Nothing yet' },
        ] as const,
      }),
    ));
  const list = splitList(languages);
  return {
    baseUrl,
    siteUrl: siteUrl === '' ? null : siteUrl,
    title,
    defaultLanguage,
    languages: list.length === 0 ? null : list,
    ci,
  };
}

async function taken<T>(question: Promise<T>): Promise<Exclude<T, symbol>> {
  const answer = await question;
  if (!isCancel(answer)) return answer as Exclude<T, symbol>;
  cancel('Nothing was written.');
  throw new LecternError('INIT_CANCELLED', 'the questions were broken off', {
    hint: 'run lectern init again, or answer by flags (lectern init --help)',
  });
}

function isWebAddress(value: string | undefined): boolean {
  return value !== undefined && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}
