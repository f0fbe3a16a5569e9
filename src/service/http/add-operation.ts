import type { Readable } from 'node:stream';
import type { Operation } from '../../core/api/operations.ts';
import { HttpError } from '../../core/net/http-error.ts';
import { describeIssue, valueAt, type z } from '../../core/schema.ts';
import type { Expected, Store } from '../store/store.ts';
import { type Answer, type Call, preconditionFailed, type Router } from './router.ts';
import { isKnown, parseIfMatch } from './send-answer.ts';

/** A request that was validated with its operation's schemas. */
interface OperationRequest<Query, Body> {
  readonly query: Query;
  readonly body: Body;
  /** The id at the end of the path, `''` if there is none. */
  readonly id: string;
  /** What `If-Match` requires. */
  readonly expected: Expected;
}

/** JSON text, with a tag that changes with it: a request with this tag in `If-None-Match` gets 304. Or JSON text that is not cached. */
export type OperationAnswer = { readonly text: string | Readable; readonly tag: string } | string;

export const jsonType = 'application/json; charset=utf-8';

/** Binds an operation of the API to its function. */
export function addOperation<Query, Body>(
  { router, siteUrl }: RouteContext,
  operation: Operation<Query, Body>,
  handle: (request: OperationRequest<Query, Body>) => Promise<OperationAnswer>,
): void {
  const { method, body } = operation;
  const answer = async (call: Call): Promise<Answer> => {
    const tags = parseIfMatch(call.headers['if-match']);
    const given = await handle({
      query: validate(operation.query, call.query, 'parameter'),
      body: body === null ? (undefined as Body) : validateBody(body, call.body),
      id: call.id,
      expected: tags && { tags, context: siteUrl },
    });
    const type = { 'content-type': jsonType };
    if (typeof given === 'string') return { status: 200, headers: type, body: given };
    const { text, tag } = given;
    const caching = { etag: `"${tag}"`, 'cache-control': 'private, no-cache' };
    if (method === 'GET') {
      if (tags?.includes(tag) === false) throw preconditionFailed();
      if (isKnown(caching.etag, call.headers)) return { status: 304, headers: caching, body: '' };
    }
    return { status: 200, headers: { ...caching, ...type }, body: text };
  };
  for (const path of [operation.path, operation.otherPath ?? []].flat()) router.add(method, path, answer);
}

/** Validates a JSON body; a missing body counts as empty. Throws 400 with the field. */
function validateBody<T>(schema: z.ZodType<T>, body: unknown): T {
  const object = body ?? {};
  if (typeof object !== 'object' || Array.isArray(object)) {
    throw new HttpError(400, 'invalid_body', 'The request body must be a JSON object.');
  }
  return validate(schema, object, 'field');
}

/** @throws HttpError 400 with the first parameter or field that is wrong, 413 for a body that is too long */
function validate<T>(schema: z.ZodType<T>, value: unknown, what: 'parameter' | 'field'): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  // A failed validation has at least one issue.
  const issue = parsed.error.issues[0] as z.core.$ZodIssue;
  const { path } = issue;
  if (issue.code === 'unrecognized_keys') {
    const name = [...path, issue.keys[0]].join('.');
    throw new HttpError(400, 'unknown_field', `There is no field ${name}.`);
  }
  const name = path.join('.');
  if (issue.code === 'too_big' && path.at(-1) === 'body') {
    throw new HttpError(
      413,
      'body_too_large',
      `The field ${name} ${describeIssue(issue, valueAt(value, path))}.`,
    );
  }
  if (what === 'parameter' && Array.isArray(valueAt(value, path))) {
    throw new HttpError(400, 'invalid_parameter', `The parameter ${name} must be given once.`);
  }
  if (valueAt(value, path) === undefined) {
    throw new HttpError(400, 'missing_parameter', `The required ${what} ${name} is missing.`);
  }
  throw new HttpError(
    400,
    `invalid_${what}`,
    `The ${what} ${name} ${describeIssue(issue, valueAt(value, path))}.`,
  );
}

/** Dependencies of the routes. */
export interface RouteContext {
  readonly router: Router;
  readonly store: Store;
  /** URL of the public help centre without a trailing slash, or `''`: prefix of the `url` of a record, on which the tags of records depend. */
  readonly siteUrl: string;
  /** Language of the records' own title and body. */
  readonly defaultLanguage: string;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}
