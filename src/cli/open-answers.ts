import { readVersion } from '../core/file-system.ts';
import { usageError } from './command.ts';
import { openSite } from './read-config.ts';
import { writeError } from './terminal.ts';

/** Flags of `lectern serve` that concern answers to questions. */
interface AnswerFlags {
  readonly 'answers-model': string | undefined;
  readonly 'answers-model-name': string | undefined;
  readonly 'answers-feed': string | undefined;
  readonly 'site-url': string | undefined;
}

/** What answers questions, with the index of the feed; `null` without `--answers-model`. @throws USAGE, CACHE_UNWRITABLE, those of a feed */
export async function openAnswers(flags: AnswerFlags) {
  const { 'answers-model': url, 'answers-model-name': model, 'site-url': siteUrl } = flags;
  const feed = flags['answers-feed'] ?? siteUrl;
  if (url === undefined) {
    const other = (['answers-model-name', 'answers-feed'] as const).find((name) => flags[name] !== undefined);
    if (other === undefined) return null;
    throw usageError(`--${other} is only used with --answers-model`, 'add --answers-model, or remove it');
  }
  if (model === undefined) {
    throw usageError(
      '--answers-model needs the name of a model',
      'add --answers-model-name, e.g. gpt-4.1-mini',
    );
  }
  if (!/^(?:https:\/\/|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])[:/])/.test(`${url}/`)) {
    throw usageError(
      `--answers-model must begin with https://, not ${url}`,
      'plain http is only for this machine',
    );
  }
  if (feed === undefined) {
    throw usageError(
      '--answers-model needs the published site to answer from',
      'add --site-url https://help.example.com, or --answers-feed with a folder or URL',
    );
  }
  const { openHelpIndex } = await import('../consumers/mcp/help-index.ts');
  const { createAnswerer } = await import('../consumers/answers/answer-question.ts');
  const { createAskModel } = await import('../consumers/answers/ask-model.ts');
  const { chooseIndexFile } = await import('./index-file.ts');
  const folder = process.cwd();
  const site = await openSite(feed, undefined);
  const file = chooseIndexFile({
    cache: process.env.LECTERN_CACHE || null,
    folder,
    feed,
    variant: readVersion(),
    now: Date.now(),
    onTemporary: (reason) => writeError(`warning CACHE_UNWRITABLE: ${reason}\n`),
  });
  const ending = new AbortController();
  const help = await openHelpIndex(site, {
    file: file.path,
    now: Date.now,
    signal: ending.signal,
    onStale: ({ code, message }) =>
      writeError(`warning ${code}: ${message}\nhint: questions are answered from the previous feed\n`),
  });
  const ask = createAskModel({
    url: url.replace(/\/+$/, ''),
    model,
    key: process.env.LECTERN_ANSWERS_KEY || null,
    fetch: globalThis.fetch,
  });
  return {
    answer: createAnswerer(help, ask),
    async close(): Promise<void> {
      ending.abort();
      help.close();
      await site.close();
      file.release();
    },
  };
}
