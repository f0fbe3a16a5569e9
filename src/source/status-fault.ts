import { NetworkFault, type RetryRule } from './network-fault.ts';
import { parseRetryAfter } from './retry-after.ts';
import { isPassingStatus } from './retry-policy.ts';

export interface FailedAnswer {
  /** Names the request, e.g. `GET https://kb.example.com/v1/article`. */
  readonly what: string;
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** What the server says about it, already without secrets; `''` when it says nothing readable. */
  readonly explanation: string;
  readonly nowMs: number;
}

/** The fault an answer stands for that is not the wanted one. */
export function statusFault({ what, status, retryAfter, explanation, nowMs }: FailedAnswer): NetworkFault {
  const said = explanation === '' ? '' : `: ${JSON.stringify(explanation)}`;
  const { code, hint } = explain(status);
  return new NetworkFault(code, `${what} answered ${status}${said}`, {
    hint,
    retry: retryRule(status),
    retryAfterMs: isPassingStatus(status) ? parseRetryAfter(retryAfter, nowMs) : null,
  });
}

function retryRule(status: number): RetryRule {
  if (status === 429 || status === 503) return 'always';
  return isPassingStatus(status) || status === 500 || status === 408 ? 'reads' : 'never';
}

function explain(status: number): { readonly code: string; readonly hint: string } {
  if (status === 401) {
    return {
      code: 'UNAUTHORIZED',
      hint: 'set the environment variable LECTERN_API_KEY to a key this service accepts',
    };
  }
  if (status === 403) {
    return { code: 'FORBIDDEN', hint: 'use a key in LECTERN_API_KEY that may do this' };
  }
  if (status === 404) {
    return {
      code: 'NOT_FOUND',
      hint: 'check ids, and that the base URL is that of the API and ends in its version, such as /v1',
    };
  }
  if (status === 429) {
    return { code: 'RATE_LIMITED', hint: 'run less often, or lower source.concurrency' };
  }
  if (status >= 500) {
    return { code: 'SERVER_ERROR', hint: 'the server has a problem; try again later' };
  }
  return { code: 'REQUEST_REFUSED', hint: 'correct the request as the message says' };
}
