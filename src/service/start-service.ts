import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { resolve } from 'node:path';
import { parseUrl } from '../core/addresses.ts';
import { LecternError } from '../core/errors.ts';
import { isLanguageTag } from '../core/language.ts';
import { listen } from '../core/net/listen.ts';
import { DatabaseUnavailable } from '../core/sqlite/sqlite.ts';
import { createApp, createLogger } from './http/create-app.ts';
import { createCheckKey, makeKey } from './keys.ts';
import { readSeed, type Seed } from './seed.ts';
import { dataUnusable, isPostgres, openStore } from './store/open-store.ts';
import type { Store } from './store/store.ts';
import { readGivenCertificate, readOrMakeCertificate } from './tls/certificate-files.ts';

/** Maximum time for running requests when the service stops. */
const shutdownTimeoutMs = 5_000;

export interface ServiceOptions {
  /**
   * SQLite file, created if missing, with the service's certificate in `<file>-tls/`; or a PostgreSQL database
   * (`postgres://user@host/database`), with the certificate in `./lectern-tls/`.
   */
  readonly data: string;
  /** JSON file of API records, or folder, to fill an empty database with. */
  readonly seed?: string | undefined;
  /** `0` (the default) picks a free port. */
  readonly port?: number | undefined;
  /** Network address to listen on; `127.0.0.1` by default. */
  readonly host?: string | undefined;
  /** A key with read and write access for this run, at least 16 characters; absent: a new one is generated. */
  readonly apiKey?: string | undefined;
  /** Language of the records' own title and body; `en` by default. */
  readonly defaultLanguage?: string | undefined;
  /** URL of the public help centre: prefix of the `url` of every article. */
  readonly siteUrl?: string | undefined;
  /** Largest request body, in bytes; 10 MiB by default. */
  readonly maxBodyBytes?: number | undefined;
  /** Requests per key and minute, 6000 by default; 0 for no limit. */
  readonly requestsPerMinute?: number | undefined;
  /** Number of proxies in front of the service, whose `X-Forwarded-For` is trusted; 0 by default. */
  readonly trustProxy?: number | undefined;
  /** PEM files to use instead of the service's own loopback certificate. */
  readonly tls?: { readonly certFile: string; readonly keyFile: string } | undefined;
  /** Called with one sentence per important fact at the start. */
  readonly onNote?: ((note: string) => void) | undefined;
  /** Receives log lines (JSON); absent: nothing is logged. */
  readonly logTo?: { write(line: string): void } | undefined;
  /** The clock, milliseconds since 1970. */
  readonly clock?: (() => number) | undefined;
}

export interface RunningService {
  /** e.g. `https://127.0.0.1:40123/v1`. */
  readonly baseUrl: string;
  /** Absolute path of the certificate to trust; `null` with the operator's own certificate. */
  readonly caFile: string | null;
  /** The same certificate in PEM format. */
  readonly ca: string | null;
  readonly apiKey: string;
  /** Finishes running requests, then stops and closes the database. */
  close(): Promise<void>;
}

/**
 * Starts the embedded knowledge-base service.
 * Throws `LecternError`: `USAGE`, `DATA_UNUSABLE`, `PATH_UNUSABLE`, `PORT_UNUSABLE`.
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  checkOptions(options);
  const isFile = !isPostgres(options.data);
  const data = isFile ? resolve(options.data) : options.data;
  const host = options.host ?? '127.0.0.1';
  // Clients remove white space, too: a variable often ends with the line feed of a file.
  const givenKey = options.apiKey?.trim();
  const wantedPort = options.port ?? 0;
  const defaultLanguage = options.defaultLanguage ?? 'en';
  // Checked before anything is written to disk.
  await tryPort(host, wantedPort);
  // A database is created only if its seed can be read. An existing one may have content, and then the seed is not used.
  const isNew = isFile && !existsSync(data);
  const seed = options.seed !== undefined && isNew ? readSeed(options.seed, defaultLanguage) : null;
  const given = options.tls && readGivenCertificate(options.tls.certFile, options.tls.keyFile);
  const clock = options.clock ?? Date.now;
  const logger = createLogger(options.logTo);
  const store = await openStore(data, { defaultLanguage, clock });
  try {
    // Last, so that a start that fails leaves no folder with a certificate.
    const certificate = given ?? (await readOrMakeCertificate(serviceFolder(data), Date.now()));
    if (options.seed !== undefined) {
      const read = () => seed ?? readSeed(options.seed as string, defaultLanguage);
      await fillFromSeed(store, read, options.onNote ?? (() => {})).catch(async (error) => {
        throw error instanceof DatabaseUnavailable ? await dataUnusable(data, error) : error;
      });
    }
    const apiKey = givenKey ?? makeKey('run', 'write').key;
    const server = createApp({
      store,
      certificate,
      clock,
      defaultLanguage,
      maxBodyBytes: options.maxBodyBytes ?? 10 * 1024 * 1024,
      requestsPerMinute: options.requestsPerMinute ?? 6000,
      trustProxy: options.trustProxy ?? 0,
      siteUrl: (options.siteUrl ?? '').replace(/\/+$/, ''),
      checkKey: createCheckKey(store, apiKey),
      logger,
    });
    await listen(server, 'the service', host, wantedPort);
    const { port } = server.address() as AddressInfo;
    const reachable = loopbackOf[host] ?? host;
    return {
      baseUrl: `https://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}/v1`,
      caFile: certificate.caFile,
      ca: certificate.ca,
      apiKey,
      close: async () => {
        const timeout = setTimeout(() => server.closeAllConnections(), shutdownTimeoutMs);
        if (server.listening) await once(server.close(), 'close');
        clearTimeout(timeout);
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** The folder with the certificate of a service: beside its file, or in the current folder for a database. */
export function serviceFolder(data: string): string {
  return isPostgres(data) ? resolve('lectern-tls') : `${resolve(data)}-tls`;
}

/** Where this machine reaches a service that listens at all of its addresses: its certificate does not have those of the left side. */
const loopbackOf: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

const minKeyLength = 16;

function checkOptions(options: ServiceOptions): void {
  const { data, requestsPerMinute = 0, trustProxy = 0 } = options;
  const { defaultLanguage = 'en', siteUrl, apiKey } = options;
  const isWhole = (number: number, minimum: number) => Number.isSafeInteger(number) && number >= minimum;
  const mistakes: readonly [isWrong: boolean, message: string][] = [
    [
      /^[a-z][a-z0-9+.-]+:\/\//i.test(data) && !isPostgres(data),
      `--data must be a file or a postgres:// URL, not ${data.replace(/:\/\/.*$/s, '://…')}`,
    ],
    [!isWhole(requestsPerMinute, 0), `--rate-limit must be a whole number from 0, not ${requestsPerMinute}`],
    [!isWhole(trustProxy, 0), `--trust-proxy must be a whole number from 0, not ${trustProxy}`],
    [
      !isLanguageTag(defaultLanguage),
      `--default-language must be a language tag such as en or pt-BR, not ${defaultLanguage}`,
    ],
    [
      siteUrl !== undefined && !isWebUrl(siteUrl),
      `--site-url must be an http or https URL without query and fragment, not ${siteUrl}`,
    ],
    [
      apiKey !== undefined && apiKey.trim().length < minKeyLength,
      `LECTERN_API_KEY must have at least ${minKeyLength} characters`,
    ],
  ];
  const wrong = mistakes.find(([isWrong]) => isWrong);
  if (wrong === undefined) return;
  throw new LecternError('USAGE', wrong[1], { hint: 'correct it and start the service again' });
}

function isWebUrl(text: string): boolean {
  return /^https?:$/.test(parseUrl(text)?.protocol ?? '') && !/[?#]/.test(text);
}

async function fillFromSeed(store: Store, read: () => Seed, note: (text: string) => void): Promise<void> {
  const isFilled = 'The database is not empty, so the seed was not used.';
  if (!(await store.isEmpty())) return note(isFilled);
  const seed = read();
  for (const text of seed.notes) note(text);
  const taken = await store.fill(seed);
  // Another service on the same database was faster.
  if (taken === null) return note(isFilled);
  for (const id of taken) note(`The id ${id} occurs twice in the seed. The first record was used.`);
}

async function tryPort(host: string, port: number): Promise<void> {
  const server = createServer();
  await listen(server, 'the service', host, port);
  await once(server.close(), 'close');
}
