import type { NetworkFault } from './network-fault.ts';

/** Methods the API uses, and `HEAD` for files of a published site. */
export type HttpMethod = 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE';

export interface RetryLimits {
  /** The first request included. */
  readonly maxAttempts: number;
  readonly maxRetryAfterMs: number;
}

const firstDelayMs = 500;
const longestDelayMs = 30_000;

/** Statuses that say the server may answer a little later. */
const passingStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Whether a status says: not now, perhaps later. */
export function isPassingStatus(status: number): boolean {
  return passingStatuses.has(status);
}

/** Whether a failed request may be made again. `attempt` counts from 1. A new record must never be created twice. */
export function mayRetry(
  fault: NetworkFault,
  method: HttpMethod,
  attempt: number,
  limits: RetryLimits,
): boolean {
  const most = fault.retry === 'reads-once' ? Math.min(2, limits.maxAttempts) : limits.maxAttempts;
  if (attempt >= most || fault.retry === 'never') return false;
  return fault.retry === 'always' || method !== 'POST';
}

/**
 * Milliseconds to wait before the next attempt: what the server asks for (up to a limit), else a doubling time. A random
 * part keeps clients that failed together from coming back together; `random` gives numbers in [0, 1).
 */
export function retryDelayMs(
  fault: NetworkFault,
  attempt: number,
  limits: RetryLimits,
  random: () => number,
): number {
  const backoffMs = Math.min(longestDelayMs, firstDelayMs * 2 ** (attempt - 1));
  if (fault.retryAfterMs === null) return Math.round(backoffMs * (0.5 + random() / 2));
  const askedMs = Math.min(fault.retryAfterMs, limits.maxRetryAfterMs);
  return Math.round(askedMs + random() * Math.min(backoffMs, askedMs / 10));
}
