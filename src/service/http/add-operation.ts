import type { Readable } from 'node:stream';
import type { FastifyInstance, HTTPMethods } from 'fastify';
import type { Operation } from '../../api/operations.ts';
import { HttpError } from './http-error.ts';
import { validateBody, validateQuery } from './validate.ts';

/** A request that has passed its operation's schemas. */
export interface OperationRequest<Query, Body> {
  readonly query: Query;
  readonly body: Body;
  /** The id at the end of the path, `''` where there is none. */
  readonly id: string;
  /** The `Accept` header, `''` when absent. */
  readonly accept: string;
}

/** JSON text, or a stream of a content type. */
export type OperationAnswer = string | { readonly contentType: string; readonly body: Readable };

export const jsonType = 'application/json; charset=utf-8';

/** What an operation may have besides its function. */
export interface OperationOptions {
  /** Other addresses than the operation's own. */
  readonly paths?: readonly string[];
  /** A text that changes when the answer does: sent as ETag, and 304 is the answer to who has it already. */
  readonly version?: (request: { readonly accept: string }) => string;
}

/** Binds an operation of the API to the function that carries it out. */
export function addOperation<Query, Body>(
  app: FastifyInstance,
  operation: Operation<Query, Body>,
  handle: (request: OperationRequest<Query, Body>) => OperationAnswer,
  { paths = [operation.path], version }: OperationOptions = {},
): void {
  const { method, body } = operation;
  for (const url of paths) {
    app.route<{ Params: Readonly<Record<string, string>> }>({
      method,
      url,
      handler: (request, reply) => {
        const { accept = '', 'if-none-match': known = '' } = request.headers;
        const wanted = {
          query: validateQuery(operation.query, request.query),
          body: body === null ? (undefined as Body) : validateBody(body, request.body),
          id: Object.values(request.params)[0] ?? '',
          accept,
        };
        if (version !== undefined) {
          const tag = `"${version(wanted)}"`;
          reply.headers({ etag: tag, 'cache-control': 'private, no-cache', vary: 'accept' });
          if (known.split(/\s*,\s*/).includes(tag)) return reply.code(304).send();
        }
        const answer = handle(wanted);
        if (typeof answer === 'string') return reply.type(jsonType).send(answer);
        return reply.type(answer.contentType).send(answer.body);
      },
    });
  }
}

const methods: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS', 'TRACE'];

/** Answers 405 with `Allow` to every other method of the paths added so far to `app`. */
export function refuseOtherMethods(
  app: FastifyInstance,
  paths: ReadonlyMap<string, ReadonlySet<string>>,
): void {
  for (const [url, allowed] of paths) {
    const allow = [...allowed].sort().join(', ');
    app.route({
      method: methods.filter((method) => !allowed.has(method)),
      url,
      handler: (request) => {
        throw new HttpError(
          405,
          'method_not_allowed',
          `${request.method} is not possible here; ${allow} is.`,
          { allow },
        );
      },
    });
  }
}
