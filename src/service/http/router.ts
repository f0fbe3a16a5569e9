import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { getOrMake } from '../../core/group-by.ts';
import { HttpError } from '../../core/net/http-error.ts';
import type { Changed } from '../store/store.ts';

/** Query parameters; a repeated one is a list. */
export type QueryValues = Readonly<Record<string, string | readonly string[]>>;

/** A request with a known route and a parsed body. */
export interface Call {
  readonly query: QueryValues;
  readonly headers: IncomingHttpHeaders;
  /** The id at the end of the path, `''` if the route has none. */
  readonly id: string;
  /** Parsed JSON; `undefined` without a body. */
  readonly body: unknown;
}

/** Response of a route. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Readable;
}

type Handler = (call: Call) => Promise<Answer>;

export interface Router {
  /** `path` starts with `/`; its last segment may be a parameter such as `:article_id`. */
  add(method: string, path: string, handler: Handler): void;
  /** Throws `HttpError`: 404 for an unknown path, 405 with `Allow` for a method that the path does not support. */
  find(method: string, path: string): { readonly handler: Handler; readonly id: string };
}

/** Longest id that is queried, in characters. */
const maxIdLength = 100;

/** Creates a router for paths below `/v1`. A GET route also handles HEAD. */
export function createRouter(): Router {
  const routes = new Map<string, Map<string, Handler>>();
  return {
    add(method, path, handler) {
      const pattern = `/v1${path.replace(/:\w+$/, ':id')}`;
      const methods = getOrMake(routes, pattern, () => new Map()).set(method, handler);
      if (method === 'GET') methods.set('HEAD', handler);
    },
    find(method, path) {
      const [methods, id] = findPath(routes, path);
      const handler = methods.get(method);
      if (handler !== undefined) return { handler, id };
      const allow = [...methods.keys()].sort().join(', ');
      throw new HttpError(405, 'method_not_allowed', `${method} is not allowed here; use ${allow}.`, {
        allow,
      });
    },
  };
}

function findPath<Methods>(
  routes: ReadonlyMap<string, Methods>,
  path: string,
): readonly [methods: Methods, id: string] {
  const exact = routes.get(path);
  if (exact !== undefined) return [exact, ''];
  const start = path.lastIndexOf('/') + 1;
  const id = decode(path.slice(start));
  const methods = id === '' ? undefined : routes.get(`${path.slice(0, start)}:id`);
  if (methods === undefined) throw new HttpError(404, 'not_found', `There is no ${path}.`);
  if (id.length > maxIdLength) {
    throw new HttpError(404, 'not_found', 'There is no record with such a long id.');
  }
  // PostgreSQL does not accept NUL in a text.
  if (id.includes('\0')) throw new HttpError(404, 'not_found', 'There is no record with NUL in its id.');
  return [methods, id];
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw unreadable();
  }
}

/** 400: not an HTTP request with a valid URL. */
export function unreadable(): HttpError {
  return new HttpError(400, 'bad_request', 'The request cannot be read.');
}

/** 404: the record does not exist. */
export function notFound(kind: 'article' | 'category', id: string): HttpError {
  return new HttpError(404, 'not_found', `There is no ${kind} ${id}.`);
}

/** Returns a record that was read. Throws 404 if it does not exist. */
export function foundRecord<T>(record: T | null, kind: 'article' | 'category', id: string): T {
  if (record === null) throw notFound(kind, id);
  return record;
}

/** Returns the changed record. Throws 404 if it does not exist, 412 if `If-Match` does not allow the change. */
export function changedRecord<T>(change: Changed<T>, kind: 'article' | 'category', id: string): T {
  if (change.outcome === 'done') return change.record;
  if (change.outcome === 'not_found') throw notFound(kind, id);
  throw preconditionFailed();
}

/** 412: `If-Match` does not allow the change. */
export function preconditionFailed(): HttpError {
  return new HttpError(412, 'precondition_failed', 'The record has changed since it was read.');
}

/** Returns a new record. Throws 409 if the requested id is already used. */
export function createdRecord<T>(record: T | null, id: string | undefined): T {
  if (record === null) throw new HttpError(409, 'id_taken', `The id ${id} is taken.`);
  return record;
}
