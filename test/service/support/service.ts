import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import {
  type RunningService,
  type ServiceOptions,
  startService,
} from '../../../src/service/start-service.ts';
import { isPostgres, openStore } from '../../../src/service/store/open-store.ts';
import type { Store } from '../../../src/service/store/store.ts';
import { readOrMakeCertificate } from '../../../src/service/tls/certificate-files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A response, with its body as text and, if it is JSON, parsed. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read response bodies of different shapes
  readonly json: any;
}

export interface Call {
  readonly method?: string;
  /** Sent as JSON unless it is a string or bytes. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Address of this machine to send from. */
  readonly from?: string;
  /** `null` sends no key. */
  readonly key?: string | null;
}

/** A running service and a plain way to call it. */
export interface TestService extends RunningService {
  readonly folder: string;
  /** Its data file, or the URL of its database. */
  readonly data: string;
  readonly call: (path: string, call?: Call) => Promise<Answer>;
}

/** Creates a new database if a suite has set it; otherwise data are in files. */
let makeDatabase: (() => Promise<string>) | null = null;

/** Makes all following tests use new databases; `null`: files. */
export function useDatabases(make: (() => Promise<string>) | null): void {
  makeDatabase = make;
}

/** A new database, or the path of a data file in a folder. */
export async function makeDataIn(folder: string): Promise<string> {
  return makeDatabase === null ? join(folder, 'kb.sqlite') : makeDatabase();
}

/** The same in a new folder that is removed when the test ends. */
export async function makeData(): Promise<string> {
  return makeDataIn(temporaryFolder());
}

/** Opens a data file or database; it is closed when the test ends. */
export async function openTestStore(data: string, clock: () => number = Date.now): Promise<Store> {
  const store = await openStore(data, { defaultLanguage: 'en', clock });
  onTestFinished(() => store.close());
  return store;
}

/** Starts a service on a new database, over real HTTPS; it stops when the test ends. */
export async function startTestService(options: Partial<ServiceOptions> = {}): Promise<TestService> {
  const folder = temporaryFolder();
  const data = options.data ?? (await makeDataIn(folder));
  const service = await startOn(folder, { ...options, data });
  onTestFinished(() => service.close());
  return { ...service, folder, data, call: (path, call) => callService(service, path, call) };
}

/** Starts a service whose certificate is in a folder, even if its data are not. */
export async function startOn(folder: string, options: ServiceOptions): Promise<RunningService> {
  if (!isPostgres(options.data) || options.tls) return startService(options);
  const { ca } = await readOrMakeCertificate(join(folder, 'tls'), Date.now());
  const tls = { certFile: join(folder, 'tls/cert.pem'), keyFile: join(folder, 'tls/key.pem') };
  return { ...(await startService({ ...options, tls })), ca };
}

/** One HTTPS request, checked against the service's own certificate. `path` is relative to the base URL. */
export function callService(
  service: Pick<RunningService, 'baseUrl' | 'ca' | 'apiKey'>,
  path: string,
  call: Call = {},
): Promise<Answer> {
  const key = call.key === undefined ? service.apiKey : call.key;
  const body =
    call.body === undefined || typeof call.body === 'string' || call.body instanceof Uint8Array
      ? call.body
      : JSON.stringify(call.body);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      service.baseUrl + path,
      {
        method: call.method ?? 'GET',
        ca: service.ca ?? undefined,
        localAddress: call.from,
        headers: {
          ...(key === null ? {} : { authorization: `Bearer ${key}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...call.headers,
        },
      },
      (response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(pieces).toString();
          const isJson = text !== '' && response.headers['content-type']?.startsWith('application/json');
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            json: isJson ? JSON.parse(text) : null,
          });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
