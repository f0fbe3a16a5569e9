import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { HttpError } from './http-error.ts';

/** What fastify's own refusals are called here, and said in our words. */
const refusals: Readonly<
  Record<string, { readonly status: number; readonly code: string; readonly message: string }>
> = {
  FST_ERR_MAX_PARAM_LENGTH: {
    status: 404,
    code: 'not_found',
    message: 'There is no record with such a long id.',
  },
  FST_ERR_CTP_BODY_TOO_LARGE: {
    status: 413,
    code: 'body_too_large',
    message: 'The request body is too large.',
  },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    status: 415,
    code: 'unsupported_media_type',
    message: 'Send the body as application/json.',
  },
  FST_ERR_CTP_EMPTY_JSON_BODY: { status: 400, code: 'invalid_body', message: 'The request body is empty.' },
  FST_ERR_CTP_INVALID_JSON_BODY: {
    status: 400,
    code: 'invalid_body',
    message: 'The request body is not JSON.',
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    status: 400,
    code: 'invalid_body',
    message: 'The request body does not have the announced length.',
  },
};

/** Answers an error as JSON; what is not foreseen is logged with its stack and answered without it. */
export function printError(
  error: FastifyError | HttpError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { status, code, message, headers } = toHttpError(error);
  if (status === 500) request.log.error({ err: error }, 'unexpected error');
  reply.status(status).headers(headers).send({ error: { code, message } });
}

function toHttpError(error: FastifyError | HttpError): HttpError {
  if (error instanceof HttpError) return error;
  const refusal = refusals[error.code];
  if (refusal) return new HttpError(refusal.status, refusal.code, refusal.message);
  const status = error.statusCode ?? 500;
  if (status >= 400 && status < 500)
    return new HttpError(status, 'bad_request', 'The request cannot be read.');
  return new HttpError(500, 'internal_error', 'The service failed; its log says why.');
}
