import { hash } from 'node:crypto';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import type { FeedCopy } from '../../consumers/mcp/feed-copy.ts';
import type { HelpIndex } from '../../consumers/mcp/help-index.ts';
import type { HttpOptions, HttpRoute } from '../../consumers/mcp/serve-http.ts';
import { parseUrl } from '../../core/addresses.ts';
import { LecternError, messageOf } from '../../core/errors.ts';
import { readVersion } from '../../core/file-system.ts';
import { splitList } from '../../core/split-list.ts';
import { isUrl } from '../../feed/read/feed-reader.ts';
import { defineCommand, type FlagValues, usageError } from '../command.ts';
import { feedFlags } from '../flags.ts';
import { formatError } from '../format-error.ts';
import { interruptible } from '../interrupt.ts';
import { openSite } from '../read-config.ts';
import { createPaint, writeError, writeOutput } from '../terminal.ts';

const options = {
  port: {
    type: 'number',
    describe: 'Serve over HTTP on this port, 0 for a free one (default: stdin and stdout)',
  },
  host: { type: 'string', describe: 'Address to listen on with --port (default 127.0.0.1)' },
  tokens: {
    type: 'string',
    describe: 'File of bearer tokens, one of which every assistant must send (default: LECTERN_MCP_TOKENS)',
  },
  'host-names': {
    type: 'string',
    describe: 'Names by which clients reach the server, separated by commas, e.g. that of a proxy',
  },
  'trust-proxy': {
    type: 'number',
    describe: 'Number of proxies in front, to read the sender from X-Forwarded-For (default 0)',
  },
  'answers-model': {
    type: 'string',
    describe:
      'With --port, also answer questions of readers at /answers, with the model of this OpenAI-compatible API',
  },
  'answers-model-name': { type: 'string', describe: 'Name of the model, with --answers-model' },
  'max-answers-per-day': {
    type: 'number',
    describe: 'Questions for the model on a day, with --answers-model; 0: no limit (default 1000)',
  },
  cache: { type: 'string', describe: 'Folder for the copy of a feed from a URL (default .lectern)' },
  config: feedFlags.config,
} as const;

type McpFlags = FlagValues<typeof options> & { readonly feed: string };

/** `lectern mcp`: serves the feed with the Model Context Protocol, and with a model also answers the questions of readers. */
export const mcpCommand = defineCommand({
  positionals: { feed: { describe: 'Published folder, or URL of the published site' } },
  options,
  examples: [
    ['lectern mcp dist', 'For a client that starts the command'],
    ['lectern mcp dist --port 0', 'For clients on this machine, on a free port'],
  ],
  epilogue: 'LECTERN_ANSWERS_KEY is the key of --answers-model.',
  run: runMcp,
});

/**
 * Runs `lectern mcp` until the client disconnects or a signal arrives. The client is answered at once; its questions wait until there is an
 * index. Standard output is reserved for the protocol, except over HTTP.
 */
async function runMcp(flags: McpFlags): Promise<void> {
  const { createHelpServer } = await import('../../consumers/mcp/help-server.ts');
  const { openHelpIndex } = await import('../../consumers/mcp/help-index.ts');
  const { serveOverHttp } = await import('../../consumers/mcp/serve-http.ts');
  const { serveOverStdio } = await import('../../consumers/mcp/serve-stdio.ts');
  const folder = process.cwd();
  const http = await readHttpOptions(flags, folder);
  const model = readModel(flags);
  const version = readVersion();
  const copy = isUrl(flags.feed) ? await openCopy(flags, folder) : null;
  const run = async (interrupted: AbortSignal): Promise<void> => {
    const site = await openSite(flags.feed, flags.config, interrupted);
    try {
      const ending = new AbortController();
      const signal = AbortSignal.any([interrupted, ending.signal]);
      const index = openHelpIndex(site, { copy, onStale: warnStale, signal, now: Date.now });
      const createOne = () => createHelpServer(index, version, Date.now);
      const serve = async (): Promise<void> => {
        if (http === null) return serveOverStdio(createOne(), signal);
        const answers = model === null ? null : await createAnswers(index, model, http);
        const server = await serveOverHttp(createOne, answers, http);
        writeOutput(`${server.url}\n`);
        if (answers !== null) writeOutput(`${new URL('/answers', server.url)}\n`);
        if (!signal.aborted) await once(signal, 'abort');
        await server.close();
      };
      const loading = index.load().catch((error: unknown) => {
        if (error !== signal.reason) throw error;
      });
      const serving = serve();
      // A feed that cannot be loaded ends the server, and a client that leaves ends the loading.
      await Promise.race([serving, loading.then(() => serving)]).finally(() => ending.abort());
      // The client left. Requests that are not answered are cut; other errors of the feed are still of interest.
      await site.close();
      await loading.catch((error: unknown) => {
        const isCut = error instanceof LecternError && error.code === 'FEED_UNREACHABLE';
        if (!isCut) throw error;
      });
    } finally {
      await site.close();
    }
  };
  await interruptible(run);
}

/** `null`: standard input and output. @throws USAGE, KEY_UNUSABLE */
async function readHttpOptions(flags: McpFlags, folder: string): Promise<HttpOptions | null> {
  const { port, host = '127.0.0.1', tokens: file, 'host-names': names = '' } = flags;
  if (port === undefined) {
    const names = ['host', 'tokens', 'host-names', 'trust-proxy', 'answers-model'] as const;
    const given = names.find((name) => flags[name] !== undefined);
    if (given === undefined) return null;
    throw usageError(`--${given} is only used with --port`, 'add --port, or remove it');
  }
  const { parseTokens } = await import('../../consumers/mcp/serve-http.ts');
  const text =
    file === undefined ? process.env.LECTERN_MCP_TOKENS : await readTokenFile(resolve(folder, file));
  return {
    ...{ host, port },
    tokens: text === undefined ? [] : parseTokens(text),
    hostNames: splitList(names).map(readHostName),
    trustProxy: readCount(flags, 'trust-proxy', 0),
  };
}

/** The name in a name, or in a URL of the server. @throws USAGE for what no request could have: all would get 403 */
function readHostName(text: string): string {
  // An IPv6 address, which needs brackets in a URL.
  const host = /^[^[]*:[^[]*:/.test(text) ? `[${text}]` : text;
  const name = parseUrl(isUrl(text) ? text : `http://${host}`)?.hostname ?? '';
  if (name !== '' && !name.includes('*')) return name;
  throw usageError(
    `--host-names has ${text}, which is no name`,
    'write each name in full, e.g. mcp.example.com',
  );
}

/** @throws KEY_UNUSABLE (exit 2) */
async function readTokenFile(file: string): Promise<string> {
  const { readTextFile } = await import('../../core/file-system.ts');
  try {
    return readTextFile(file);
  } catch (cause) {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException;
    throw new LecternError('KEY_UNUSABLE', `the file of tokens ${file} cannot be read (${code})`, {
      hint: 'pass a file with --tokens that has one token on each line, or set LECTERN_MCP_TOKENS to a token',
      cause,
    });
  }
}

/** @throws USAGE unless the flag is a whole number */
function readCount(flags: McpFlags, name: 'trust-proxy' | 'max-answers-per-day', otherwise: number): number {
  const count = flags[name] ?? otherwise;
  if (Number.isSafeInteger(count) && count >= 0) return count;
  throw usageError(`--${name} must be a whole number from 0, not ${count}`, 'correct it');
}

interface AnswerModel {
  readonly url: string;
  readonly name: string;
  readonly maxPerDay: number;
}

/** `null`: questions are not answered. @throws USAGE */
function readModel(flags: McpFlags): AnswerModel | null {
  const { 'answers-model': url, 'answers-model-name': name } = flags;
  if (url === undefined) {
    const names = ['answers-model-name', 'max-answers-per-day'] as const;
    const other = names.find((one) => flags[one] !== undefined);
    if (other === undefined) return null;
    throw usageError(`--${other} is only used with --answers-model`, 'add --answers-model, or remove it');
  }
  if (name === undefined)
    throw usageError(
      '--answers-model needs the name of a model',
      'add --answers-model-name, e.g. gpt-4.1-mini',
    );
  if (!/^(?:https:\/\/|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])[:/])/.test(`${url}/`))
    throw usageError(
      `--answers-model must begin with https://, not ${url}`,
      'plain http is only for this machine',
    );
  return { url: url.replace(/\/+$/, ''), name, maxPerDay: readCount(flags, 'max-answers-per-day', 1000) };
}

async function createAnswers(
  help: HelpIndex,
  { url, name, maxPerDay }: AnswerModel,
  { hostNames, trustProxy }: HttpOptions,
): Promise<HttpRoute> {
  const { createAnswerer } = await import('../../consumers/answers/answer-question.ts');
  const { createAnswerRoute } = await import('../../consumers/answers/answer-route.ts');
  const { createAskModel } = await import('../../consumers/answers/ask-model.ts');
  const key = process.env.LECTERN_ANSWERS_KEY || null;
  const ask = createAskModel({ url, model: name, key, fetch: globalThis.fetch });
  const style = { json: false, github: false, paint: createPaint({}, {}), width: null };
  return createAnswerRoute({
    help,
    answer: createAnswerer(help, ask),
    ...{ hostNames, trustProxy, maxPerDay },
    now: Date.now,
    onFault: (error) => writeError(formatError(error, style)),
  });
}

function warnStale({ code, message }: LecternError): void {
  writeError(`warning ${code}: ${message}\nhint: the previous feed still answers, and answers say so\n`);
}

/** A copy of the feed at this URL; `null` if the default folder cannot be written. @throws CACHE_UNUSABLE (exit 2) */
async function openCopy({ feed, cache }: McpFlags, folder: string): Promise<FeedCopy | null> {
  const { openFeedCopy } = await import('../../consumers/mcp/feed-copy.ts');
  const named = cache ?? (process.env.LECTERN_CACHE || null);
  const path = join(resolve(folder, named ?? '.lectern'), 'mcp', hash('sha256', feed).slice(0, 16));
  try {
    return openFeedCopy(path);
  } catch (cause) {
    const reason = `the cache folder ${path} cannot be written: ${messageOf(cause)}`;
    const hint = 'choose another folder with --cache, or make this one writable';
    if (named !== null) throw new LecternError('CACHE_UNUSABLE', reason, { hint, exitCode: 2, cause });
    writeError(`warning CACHE_UNUSABLE: ${reason}\nhint: the feed is downloaded at each start; ${hint}\n`);
    return null;
  }
}
