import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
// pino writes the log as lines of JSON.
import { type Logger, pino } from 'pino';
import { once } from '../../core/concurrency.ts';
import { docsPage } from '../../core/docs-page.ts';
import { readTextFile } from '../../core/file-system.ts';
import { clientNetwork } from '../../core/net/client-network.ts';
import { HttpError } from '../../core/net/http-error.ts';
import { createRateLimit } from '../../core/net/rate-limit.ts';
import { DatabaseUnavailable } from '../../core/sqlite/sqlite.ts';
import type { CheckKey } from '../keys.ts';
import { RecordInvalid } from '../records.ts';
import type { Store } from '../store/store.ts';
import type { ServerCertificate } from '../tls/certificate-files.ts';
import { jsonType, type RouteContext } from './add-operation.ts';
import { guardCount, guardRequest } from './authenticate.ts';
import { addSearchRoutes, addStatisticsRoutes } from './query-routes.ts';
import { readBody } from './read-body.ts';
import { addReaderRoutes, readerPaths } from './reader-routes.ts';
import { addArticleRoutes, addCategoryRoutes } from './record-routes.ts';
import { type Answer, createRouter, type QueryValues, type Router } from './router.ts';
import { awaitStart, sendAnswer } from './send-answer.ts';

/** Settings of the HTTP server. */
interface AppSettings extends Omit<RouteContext, 'router'> {
  readonly certificate: Pick<ServerCertificate, 'cert' | 'key'>;
  readonly checkKey: CheckKey;
  readonly logger: Logger;
  /** Largest request body, in bytes. */
  readonly maxBodyBytes: number;
  /** Requests per minute and key; 0 for no limit. */
  readonly requestsPerMinute: number;
  /** Number of proxies in front of the service: see `clientNetwork`. */
  readonly trustProxy: number;
  /** Maximum time for a client to send a request; default: one minute. */
  readonly requestTimeoutMs?: number;
  /** Maximum time without data on a connection, in either direction; default: two minutes. */
  readonly socketTimeoutMs?: number;
}

/** Timeout of idle connections: longer than the usual minute of load balancers. */
const keepAliveTimeoutMs = 72_000;

/** Longer than `keepAliveTimeoutMs`, and than any response takes to start. */
const socketTimeoutMs = 120_000;

/** Creates the server of the service, which does not listen yet. HTTPS only; what is no request gets Node's own answer, every other error is JSON. */
export function createApp(settings: AppSettings): Server {
  const router = createRouter();
  const context = { ...settings, router };
  addArticleRoutes(context);
  addCategoryRoutes(context);
  addSearchRoutes(context);
  addStatisticsRoutes(context);
  addReaderRoutes(context);
  addDescription(router);
  const { certificate, checkKey, logger, maxBodyBytes, requestTimeoutMs = 60_000 } = settings;
  const { requestsPerMinute, trustProxy, clock } = settings;
  const limits = {
    rateLimit: createRateLimit(requestsPerMinute, clock),
    countLimit: createRateLimit(Math.ceil(requestsPerMinute / 10), clock),
  };

  async function answer(request: IncomingMessage): Promise<Answer> {
    const { method = '', url = '', headers } = request;
    const path = pathOf(url);
    const probe = await answerProbe(path, settings.store);
    if (probe !== null) return probe;
    const query = parseQuery(url);
    const { authorization } = headers;
    const forwardedFor = String(headers['x-forwarded-for'] ?? '');
    const socketAddress = request.socket.remoteAddress ?? '';
    const network = clientNetwork({ socketAddress, forwardedFor }, trustProxy);
    const caller = await guardRequest({ method, path, query, authorization, network }, checkKey, limits);
    const { handler, id } = router.find(method, path);
    const hasBody = method !== 'GET' && method !== 'HEAD';
    const body = hasBody ? await readBody(request, maxBodyBytes, readerPaths.has(path)) : undefined;
    guardCount(caller, body, path);
    return handler({ query, headers, id, body });
  }

  const server = createServer(
    {
      cert: certificate.cert,
      key: certificate.key,
      minVersion: 'TLSv1.2',
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: requestTimeoutMs / 2,
      keepAliveTimeout: keepAliveTimeoutMs,
    },
    (request, response) => {
      if (logger.isLevelEnabled('info')) logAnswer(logger, request, response);
      // When the server stops, it closes idle connections; responses in progress have to close theirs.
      if (!server.listening) response.setHeader('connection', 'close');
      answer(request)
        .then(awaitStart)
        .catch((error: unknown) => refuse(error, logger))
        .then((given) => sendAnswer(response, given))
        .catch((error: NodeJS.ErrnoException) => {
          // A client may disconnect early.
          if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') logger.error({ err: error }, 'answer cut short');
          response.destroy();
        });
    },
  );
  // With a listener, Node reads a connection through its stream. Otherwise its parser reads TLS records even while it is paused, which
  // it is while a long answer is being sent, and takes the next record for an error (HPE_PAUSED).
  server.on('secureConnection', (socket) => void socket.on('data', () => {}));
  server.setTimeout(settings.socketTimeoutMs ?? socketTimeoutMs);
  return server;
}

/** `GET /openapi.json`: the published OpenAPI document, which a test compares with the schemas that validate requests. */
function addDescription(router: Router): void {
  const read = once(() => readTextFile(docsPage('openapi.json')));
  router.add('GET', '/openapi.json', async () => ({
    status: 200,
    headers: { 'content-type': jsonType },
    body: read(),
  }));
}

function logAnswer(logger: Logger, request: IncomingMessage, response: ServerResponse): void {
  const startedAt = performance.now();
  response.once('close', () => {
    const ms = performance.now() - startedAt;
    const { method, url = '' } = request;
    logger.info({ method, path: pathOf(url), status: response.statusCode, ms }, 'answered');
  });
}

/** Responds to `/healthz` (the process works) and `/readyz` (the data can be read and searched), without a key; `null` for other paths. */
async function answerProbe(path: string, store: Pick<Store, 'checkReady'>): Promise<Answer | null> {
  if (path !== '/healthz' && path !== '/readyz') return null;
  const isReady =
    path === '/healthz' ||
    (await store.checkReady().then(
      () => true,
      () => false,
    ));
  const body = JSON.stringify({ status: isReady ? 'ok' : 'unavailable' });
  const headers = { 'content-type': jsonType, 'cache-control': 'no-store' };
  return { status: isReady ? 200 : 503, headers, body };
}

function parseQuery(url: string): QueryValues {
  const start = url.indexOf('?');
  const query: Record<string, string | string[]> = Object.create(null);
  if (start === -1) return query;
  for (const [name, value] of new URLSearchParams(url.slice(start + 1))) {
    const known = query[name];
    query[name] = known === undefined ? value : [known, value].flat();
  }
  return query;
}

const soon = { 'retry-after': '1' };

const unreachable = {
  event: 'database unavailable',
  answer: new HttpError(
    503,
    'database_unavailable',
    'The database cannot handle this request now. Try again.',
    soon,
  ),
};

/** Why the data cannot be used now: the log entry, which includes the database's own error, and the response. */
const unavailable: Readonly<Record<DatabaseUnavailable['reason'], { event: string; answer: HttpError }>> = {
  locked: {
    event: 'database busy',
    answer: new HttpError(503, 'busy', 'The database was busy for too long. Try again.', soon),
  },
  unreachable,
  damaged: unreachable,
  full: {
    event: 'storage full',
    answer: new HttpError(507, 'storage_full', 'No space is left for the data.'),
  },
};

/** The response to a thrown error. An unexpected error is logged with its stack, which is not sent. */
function refuse(error: unknown, logger: Logger): Answer {
  if (error instanceof HttpError) return formatError(error);
  if (error instanceof RecordInvalid) return formatError(new HttpError(400, error.code, error.message));
  if (error instanceof DatabaseUnavailable) {
    const { event, answer } = unavailable[error.reason];
    logger.error({ err: error.cause }, event);
    return formatError(answer);
  }
  logger.error({ err: error }, 'unexpected error');
  return formatError(new HttpError(500, 'internal_error', 'The service failed; its log says why.'));
}

function formatError({ status, code, message, headers }: HttpError): Answer {
  const body = JSON.stringify({ error: { code, message } });
  return { status, headers: { ...headers, 'content-type': jsonType }, body };
}

/**
 * The path of a request target, which may be a whole URL (RFC 9112, 3.2.2). Only this part may be logged or repeated in a response, because
 * the query may contain a key.
 */
function pathOf(target: string): string {
  return target.replace(/\?.*$/s, '').replace(/^https?:\/\/[^/]*/i, '');
}

/** Logs JSON lines. Of a request, only method and path are logged, because its query and headers contain the key. */
export function createLogger(destination: { write(line: string): void } | undefined): Logger {
  return destination === undefined ? pino({ enabled: false }) : pino({ base: null }, destination);
}
