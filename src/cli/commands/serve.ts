import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LecternError } from '../../core/errors.ts';
import { quoteForShell } from '../../core/quote-for-shell.ts';
import { defineCommand, type FlagValues } from '../command.ts';
import { dataFlag, readDataFlag } from '../flags.ts';
import { interruptible } from '../interrupt.ts';
import { rememberedKey, rememberService } from '../remembered-service.ts';
import { writeError, writeOutput } from '../terminal.ts';

const options = {
  data: dataFlag,
  seed: {
    type: 'string',
    describe: 'Fill an empty database from a JSON file, a folder, or the built-in "sample"',
  },
  host: { type: 'string', default: '127.0.0.1', describe: 'Address to listen on' },
  port: { type: 'number', default: 8443, describe: 'Port to listen on; 0 picks a free one' },
  'default-language': { type: 'string', default: 'en', describe: 'Default language of the records' },
  'site-url': {
    type: 'string',
    describe: 'URL of the public help centre, for article URLs',
  },
  'rate-limit': {
    type: 'number',
    default: 6000,
    describe: 'Requests per key and minute; 0: no limit',
  },
  'trust-proxy': {
    type: 'number',
    default: 0,
    describe: 'Number of proxies in front, to read the sender from X-Forwarded-For',
  },
  'tls-cert': {
    type: 'string',
    describe: 'PEM file of a certificate',
  },
  'tls-key': { type: 'string', describe: 'PEM file of the private key' },
  json: { type: 'boolean', default: false, describe: 'Print one JSON line when listening' },
  quiet: { type: 'boolean', default: false, describe: 'Do not log requests to stderr' },
} as const;

type ServeFlags = FlagValues<typeof options>;

/** `lectern serve`: the embedded knowledge-base service, until it is stopped. */
export const serveCommand = defineCommand({
  options,
  examples: [
    ['lectern serve --seed sample', 'Fill a new database with the sample and serve it'],
    ['lectern serve --data kb.sqlite', 'Serve an existing database'],
  ],
  epilogue:
    'LECTERN_API_KEY sets the API key. Without it, the command creates a key, prints it, and keeps it beside the certificate, where the ' +
    'other commands find it.',
  run: serve,
});

async function serve(flags: ServeFlags): Promise<void> {
  const { serviceFolder, startService } = await import('../../service/start-service.ts');
  const tlsFolder = serviceFolder(readDataFlag(flags.data));
  const givenKey = process.env.LECTERN_API_KEY || null;
  const apiKey = givenKey ?? rememberedKey(tlsFolder) ?? undefined;
  const service = await startService({
    data: readDataFlag(flags.data),
    seed: seedPath(flags.seed),
    host: flags.host,
    port: flags.port,
    apiKey,
    defaultLanguage: flags['default-language'],
    siteUrl: flags['site-url'],
    requestsPerMinute: flags['rate-limit'],
    trustProxy: flags['trust-proxy'],
    tls: tlsFiles(flags),
    onNote: (note) => writeError(`note: ${note}\n`),
    logTo: flags.quiet ? undefined : { write: writeError },
  });
  const { baseUrl, caFile: ca } = service;
  const isRemembered = givenKey === null;
  if (isRemembered) rememberService(tlsFolder, { baseUrl, apiKey: service.apiKey, ca });
  const isFound = isRemembered && (await isDefaultSource(baseUrl));
  writeOutput(
    flags.json
      ? `${JSON.stringify({ baseUrl, ca, apiKey: service.apiKey })}\n`
      : [
          `Address  ${baseUrl}\n`,
          `Trust    ${ca ?? 'the certificate of --tls-cert'}\n`,
          isRemembered ? `API key  ${service.apiKey}\n` : '',
          isFound ? '\nIn this folder, lectern build, kb, pull and push find it by themselves.\n' : '\n',
          exportLine(baseUrl, isRemembered ? service.apiKey : null, ca, isFound ? 'folders' : 'commands'),
        ].join(''),
  );
  await interruptible((signal) => once(signal, 'abort'));
  await service.close();
}

/** Whether commands in this folder that name no source use this one: settings may name another, and another service may have been started here. */
async function isDefaultSource(baseUrl: string): Promise<boolean> {
  const { readConfig } = await import('../read-config.ts');
  try {
    const config = await readConfig(undefined);
    return config.source.kind === 'api' && config.baseUrl === baseUrl;
  } catch {
    // The service does not need the configuration, whose mistakes the other commands name.
    return false;
  }
}

/** What makes other commands use the service, to copy into a shell. */
function exportLine(
  baseUrl: string,
  apiKey: string | null,
  ca: string | null,
  others: 'folders' | 'commands',
): string {
  if (process.platform === 'win32') return '';
  const variables = Object.entries({
    LECTERN_BASE_URL: baseUrl,
    LECTERN_API_KEY: apiKey,
    NODE_EXTRA_CA_CERTS: ca,
  }).flatMap(([name, value]) => (value === null ? [] : `${name}=${quoteForShell(value)}`));
  return `For other ${others}:\nexport ${variables.join(' ')}\n`;
}

/** `sample` is the sample of the package, unless a file or folder here has that name. */
function seedPath(seed: string | undefined): string | undefined {
  if (seed !== 'sample' || existsSync(seed)) return seed;
  return fileURLToPath(new URL('../../../sample', import.meta.url));
}

function tlsFiles(flags: ServeFlags) {
  const certFile = flags['tls-cert'];
  const keyFile = flags['tls-key'];
  if (certFile !== undefined && keyFile !== undefined) return { certFile, keyFile };
  if (certFile === undefined && keyFile === undefined) return undefined;
  throw new LecternError('USAGE', 'only one of --tls-cert and --tls-key is given', {
    hint: 'pass both, or neither for a certificate of localhost',
  });
}
