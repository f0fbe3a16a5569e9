import type { Readable } from 'node:stream';
import type { Operation } from '../../api/operations.ts';
import type { Answer, Call, Router } from './router.ts';
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
  router: Router,
  operation: Operation<Query, Body>,
  handle: (request: OperationRequest<Query, Body>) => OperationAnswer,
  { paths = [operation.path], version }: OperationOptions = {},
): void {
  const { method, body } = operation;
  const answer = (call: Call): Answer => {
    const { accept = '', 'if-none-match': known = '' } = call.headers;
    const wanted = {
      query: validateQuery(operation.query, call.query),
      body: body === null ? (undefined as Body) : validateBody(body, call.body),
      id: call.id,
      accept,
    };
    let caching = {};
    if (version !== undefined) {
      const etag = `"${version(wanted)}"`;
      caching = { etag, 'cache-control': 'private, no-cache', vary: 'accept' };
      if (known.split(/\s*,\s*/).includes(etag)) return { status: 304, headers: caching, body: '' };
    }
    const given = handle(wanted);
    const made = typeof given === 'string' ? { contentType: jsonType, body: given } : given;
    return { status: 200, headers: { ...caching, 'content-type': made.contentType }, body: made.body };
  };
  for (const path of paths) router.add(method, path, answer);
}
