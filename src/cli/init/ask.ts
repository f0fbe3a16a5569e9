import { cancel, intro, isCancel, select, text } from '@clack/prompts';
import { splitList } from '../../config/load-config.ts';
import { LecternError } from '../../foundation/errors.ts';
import { checkAnswer, type InitAnswers, type InitFlags, type InitSource } from './answers.ts';

const ciSystems = [
  { value: 'github', label: 'GitHub Actions, publishing to GitHub Pages' },
  { value: 'gitlab', label: 'GitLab CI, publishing to GitLab Pages' },
  { value: 'cron', label: 'A script for cron, publishing with rsync' },
  { value: 'none', label: 'Nowhere yet' },
] as const;

/**
 * Asks on the terminal for what the flags leave open; an answer that a build would refuse is asked for again.
 * @param given the source, where flags or the environment name it
 * @param isTaken whether the file of a scheduled build exists and may not be replaced
 * @throws INIT_CANCELLED when the user breaks off
 */
export async function askForAnswers(
  flags: InitFlags,
  given: InitSource | null,
  isTaken: (ci: InitAnswers['ci']) => boolean,
): Promise<InitAnswers> {
  intro('A new help site');
  const source = given ?? (await askForSource());
  const siteUrl =
    flags.siteUrl ??
    (await taken(
      text({
        message: 'Public URL of the help site? (empty: not known yet)',
        placeholder: 'https://help.example.com',
        defaultValue: '',
        validate: checkAnswer.siteUrl,
      }),
    ));
  const title =
    flags.title ?? (await taken(text({ message: 'Name of the help centre?', defaultValue: 'Help centre' })));
  const defaultLanguage =
    flags.defaultLanguage ??
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
  const languages =
    flags.languages ??
    (await taken(
      text({
        message: 'Languages to publish, e.g. en,de? (empty: all available)',
        defaultValue: '',
        validate: checkAnswer.languages,
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
  const list = splitList(languages);
  return {
    source,
    siteUrl: siteUrl === '' ? null : siteUrl,
    title,
    defaultLanguage,
    languages: list.length === 0 ? null : list,
    ci,
    shards: flags.shards ?? 1,
  };
}

async function askForSource(): Promise<InitSource> {
  const kind = await taken(
    select<InitSource['kind']>({
      message: 'Where are your articles?',
      options: [
        { value: 'api', label: 'In a help centre with the HTTP API' },
        { value: 'folder', label: 'In a folder of Markdown (e.g. of Docusaurus, MkDocs or Hugo)' },
        { value: 'zendesk', label: 'In Zendesk Guide (not yet run against the live service)' },
      ],
    }),
  );
  if (kind === 'folder') {
    const path = await taken(
      text({ message: 'Which folder?', placeholder: './docs', validate: checkAnswer.path }),
    );
    return { kind, path };
  }
  const [message, placeholder] =
    kind === 'zendesk'
      ? ['URL of the help centre?', 'https://acme.zendesk.com']
      : ['URL of the knowledge-base API?', 'https://kb.example.com/v1'];
  const baseUrl = await taken(text({ message, placeholder, validate: checkAnswer.baseUrl }));
  return { kind, baseUrl };
}

async function taken<T>(question: Promise<T>): Promise<Exclude<T, symbol>> {
  const answer = await question;
  if (!isCancel(answer)) return answer as Exclude<T, symbol>;
  cancel('Nothing was written.');
  throw new LecternError('INIT_CANCELLED', 'lectern init was cancelled', {
    hint: 'run lectern init again, or pass the answers as flags (lectern init --help)',
  });
}
