import type { Changed } from '../store/store.ts';

/** A failed request; the body becomes `{"error": {"code", "message"}}`. */
export class HttpError extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = 'HttpError';
    this.status = status;
    this.code = code;
    this.headers = headers;
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

/** The record a change was made to. Throws 404 when there is none, 412 when it is not one that `If-Match` names. */
export function changedRecord<T>(change: Changed<T>, kind: 'article' | 'category', id: string): T {
  if (change.outcome === 'done') return change.record;
  if (change.outcome === 'not_found') throw notFound(kind, id);
  throw preconditionFailed();
}

/** 412: the record is not one that `If-Match` names. */
export function preconditionFailed(): HttpError {
  return new HttpError(412, 'precondition_failed', 'The record has changed since it was read.');
}

/** 409: the id a new record asks for belongs to another. */
export function idTaken(id: string | undefined): HttpError {
  return new HttpError(409, 'id_taken', `The id ${id} is taken.`);
}
