import { LecternError, type LecternErrorDetails } from '../foundation/errors.ts';

/**
 * When a failed request may be made again: `never`; `reads` when the server may have acted on it already, so that only
 * a request that changes nothing new may be repeated; `reads-once` the same, a single time, since each attempt takes
 * long; `always` when the server certainly did not act on it.
 */
export type RetryRule = 'never' | 'reads' | 'reads-once' | 'always';

export interface NetworkFaultDetails extends LecternErrorDetails {
  readonly retry: RetryRule;
  /** What the server asked for with `Retry-After`. */
  readonly retryAfterMs?: number | null;
}

/** A request that failed; once no retry is left, the user sees it as the {@link LecternError} it is. */
export class NetworkFault extends LecternError {
  readonly retry: RetryRule;
  readonly retryAfterMs: number | null;

  constructor(code: string, message: string, details: NetworkFaultDetails) {
    super(code, message, details);
    this.retry = details.retry;
    this.retryAfterMs = details.retryAfterMs ?? null;
  }
}
