import { LecternError, type LecternErrorDetails } from '../errors.ts';

/**
 * When to retry a failed request. `never`. `reads`: the server may have processed it, so only a request that creates nothing is retried.
 * `reads-once`: the same, but once only, because each attempt takes long. `always`: the server certainly did not process it.
 */
export type RetryRule = 'never' | 'reads' | 'reads-once' | 'always';

interface NetworkFaultDetails extends LecternErrorDetails {
  readonly retry: RetryRule;
  /** The server's `Retry-After`. */
  readonly retryAfterMs?: number | null;
}

/** A failed request. When no retry is left, it is shown to the user as a {@link LecternError}. */
export class NetworkFault extends LecternError {
  readonly retry: RetryRule;
  readonly retryAfterMs: number | null;

  constructor(code: string, message: string, details: NetworkFaultDetails) {
    super(code, message, details);
    this.retry = details.retry;
    this.retryAfterMs = details.retryAfterMs ?? null;
  }
}

interface Explanation {
  readonly code: string;
  /** Follows "GET https://…: ". */
  readonly text: string;
  readonly hint: string;
  readonly retry: RetryRule;
}

const network = 'check the network and the base URL, then run again';
const authority =
  'if the server uses a private certificate authority, set tls.ca or NODE_EXTRA_CA_CERTS to its PEM file';

/** Explanations of the error codes of Node and undici. The codes of a row are separated by spaces. */
const rows: readonly (readonly [
  causes: string,
  code: string,
  text: string,
  hint: string,
  retry: RetryRule,
])[] = [
  [
    'ENOTFOUND',
    'CONNECTION_FAILED',
    'no server has this name',
    'check the spelling of the base URL, and that this machine reaches the network',
    'never',
  ],
  ['EAI_AGAIN', 'CONNECTION_FAILED', 'the host name could not be resolved', network, 'always'],
  [
    'ECONNREFUSED EHOSTUNREACH ENETUNREACH ENETDOWN EHOSTDOWN',
    'CONNECTION_FAILED',
    'no connection could be made',
    'check that the server runs and that the base URL has the right host and port',
    'always',
  ],
  [
    'UND_ERR_CONNECT_TIMEOUT ETIMEDOUT',
    'TIMEOUT',
    'no connection was made in time',
    'check the network, and that the server runs',
    'always',
  ],
  [
    'UND_ERR_HEADERS_TIMEOUT',
    'TIMEOUT',
    'the server did not start to respond in time',
    'run again later; ask the service operator why the server is so slow',
    'reads-once',
  ],
  [
    'UND_ERR_BODY_TIMEOUT',
    'TIMEOUT',
    'the server stopped in the middle of its response',
    'run again later; ask the service operator why the server is so slow',
    'reads-once',
  ],
  [
    'UND_ERR_SOCKET ECONNRESET EPIPE ECONNABORTED UND_ERR_ABORTED UND_ERR_INFO Z_BUF_ERROR',
    'CONNECTION_FAILED',
    'the connection was lost before the response was complete',
    network,
    'reads',
  ],
  [
    'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
    'CONNECTION_FAILED',
    'the length of the response differs from its Content-Length',
    network,
    'reads',
  ],
  [
    'Z_DATA_ERROR',
    'BAD_RESPONSE',
    'the response is not compressed as its Content-Encoding says',
    'ask the service operator, or check for a proxy in between',
    'reads',
  ],
  [
    'UND_ERR_HEADERS_OVERFLOW',
    'BAD_RESPONSE',
    'the headers of the response are too long',
    'ask the service operator, or check for a proxy in between',
    'never',
  ],
  [
    'CERT_HAS_EXPIRED',
    'TLS_FAILED',
    "the server's certificate has expired",
    'ask the operator to renew it, and check the clock of this machine',
    'never',
  ],
  [
    'CERT_NOT_YET_VALID',
    'TLS_FAILED',
    "the server's certificate is not valid yet",
    'check the clock of this machine',
    'never',
  ],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'TLS_FAILED',
    "the server's certificate is for another name",
    'use the name of the certificate in the base URL',
    'never',
  ],
  [
    'DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_VERIFY_LEAF_SIGNATURE UNABLE_TO_GET_ISSUER_CERT_LOCALLY UNABLE_TO_GET_ISSUER_CERT',
    'TLS_FAILED',
    "the server's certificate was issued by an authority that this machine does not trust",
    authority,
    'never',
  ],
  [
    'EPROTO ERR_SSL_WRONG_VERSION_NUMBER',
    'TLS_FAILED',
    'the TLS handshake with the server failed',
    'check that host and port of the base URL are those of an https server',
    'never',
  ],
];

const explanations: Readonly<Record<string, Explanation>> = Object.fromEntries(
  rows.flatMap(([causes, code, text, hint, retry]) =>
    causes.split(' ').map((cause) => [cause, { code, text, hint, retry }]),
  ),
);

/**
 * Turns the error of a request into a fault with a hint. `what` names the request, e.g. `GET
 * https://kb.example.com/v1/article`.
 */
export function mapNetworkError(error: unknown, what: string): NetworkFault | null {
  if (error instanceof NetworkFault) return error;
  const code = errorCode(error);
  const explanation = code === null ? undefined : (explanations[code] ?? explainFamily(code));
  if (explanation === undefined) return null;
  const { text, hint, retry } = explanation;
  return new NetworkFault(explanation.code, `${what}: ${text} (${code})`, { hint, retry, cause: error });
}

function explainFamily(code: string): Explanation | undefined {
  if (code.startsWith('HPE_')) {
    return {
      code: 'BAD_RESPONSE',
      text: 'the response is not HTTP',
      hint: 'check host and port of the base URL',
      retry: 'reads',
    };
  }
  // Brotli has an error code for every kind of invalid data.
  if (code.startsWith('ERR__ERROR_') || code.startsWith('ERR_BROTLI')) return explanations.Z_DATA_ERROR;
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) return explanations.EPROTO;
  if (code.startsWith('CERT_')) {
    return {
      code: 'TLS_FAILED',
      text: "the server's certificate is not valid",
      hint: authority,
      retry: 'never',
    };
  }
  // For an unexpected system error, only the code is known.
  if (/^(?:E[A-Z]+|UND_ERR_[A-Z_]+)$/.test(code)) {
    return { code: 'CONNECTION_FAILED', text: 'the request failed', hint: network, retry: 'reads' };
  }
  return undefined;
}

/** The code of an error, of an aggregated error (several addresses were tried), or of its cause. */
function errorCode(error: unknown): string | null {
  for (let depth = 0; depth < 5 && error instanceof Error; depth += 1) {
    const { code } = error as NodeJS.ErrnoException;
    if (error.name === 'AbortError') return 'UND_ERR_ABORTED';
    if (error.name === 'HTTPParserError') return code ?? 'HPE_INVALID';
    if (typeof code === 'string' && code !== 'UND_ERR') return code;
    error = error instanceof AggregateError ? error.errors[0] : error.cause;
  }
  return null;
}
