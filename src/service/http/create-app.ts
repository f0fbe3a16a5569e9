import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from 'fastify';
import type { CheckKey } from '../keys/check-key.ts';
import type { ServerCertificate } from '../tls/certificate-files.ts';
import { refuseOtherMethods } from './add-operation.ts';
import { addArticleRoutes } from './article-routes.ts';
import { addCategoryRoutes } from './category-routes.ts';
import { pathOf } from './create-logger.ts';
import { guardRequest } from './guard-request.ts';
import { HttpError } from './http-error.ts';
import { addOpenApiRoute } from './open-api-route.ts';
import { printError } from './print-error.ts';
import { createRateLimit } from './rate-limit.ts';
import type { RouteContext } from './route-context.ts';
import { addSearchRoutes } from './search-routes.ts';
import { addStatisticsRoutes } from './statistics-routes.ts';

/** What the HTTP side needs to know. */
export interface AppSettings extends RouteContext {
  readonly certificate: Pick<ServerCertificate, 'cert' | 'key'>;
  readonly checkKey: CheckKey;
  readonly logger: FastifyBaseLogger;
  /** Largest request body, in bytes. */
  readonly maxBodyBytes: number;
  /** Requests per key; 0 for no limit. */
  readonly requestsPerMinute: number;
}

/** How long a client may take to send a request. */
const requestTimeoutMs = 60_000;

/** The service as a fastify instance that does not listen yet. HTTPS only; every answer is JSON. */
export function createApp(settings: AppSettings): FastifyInstance {
  const app = fastify({
    https: { cert: settings.certificate.cert, key: settings.certificate.key, minVersion: 'TLSv1.2' },
    loggerInstance: settings.logger,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle',
    requestTimeout: requestTimeoutMs,
    bodyLimit: settings.maxBodyBytes,
    frameworkErrors: printError,
    childLoggerFactory: (logger) => logger,
  }) as unknown as FastifyInstance;
  const rateLimit = createRateLimit(settings.requestsPerMinute, settings.clock);
  app.setErrorHandler(printError);
  // With callbacks, since a promise per hook and request is felt under load.
  app.addHook('onRequest', (request, _reply, done) => {
    guardRequest(request, settings.checkKey, rateLimit);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const path = pathOf(request.url);
    request.log.info(
      { method: request.method, path, status: reply.statusCode, ms: reply.elapsedTime },
      'answered',
    );
    done();
  });
  app.setNotFoundHandler((request) => {
    throw new HttpError(404, 'not_found', `There is no ${pathOf(request.url)}.`);
  });
  readJsonOnly(app);
  app.register(
    async (routes) => {
      const paths = new Map<string, Set<string>>();
      routes.addHook('onRoute', ({ routePath, method }) => {
        const allowed = paths.get(routePath) ?? new Set();
        for (const name of [method].flat()) allowed.add(name);
        paths.set(routePath, allowed);
      });
      addArticleRoutes(routes, settings);
      addCategoryRoutes(routes, settings);
      addSearchRoutes(routes, settings);
      addStatisticsRoutes(routes, settings);
      addOpenApiRoute(routes);
      refuseOtherMethods(routes, new Map(paths));
    },
    { prefix: '/v1' },
  );
  return app;
}

/** Bodies are JSON or refused with 415; an empty one counts as none, whatever type it says it has. */
function readJsonOnly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else parse(request, body, done);
  });
}
