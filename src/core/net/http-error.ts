/** A request that a server of ours refuses. The body of the response is `{"error": {"code", "message"}}`. */
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

/**
 * Refuses what a rate limit does not allow yet.
 * @param waitSeconds `null`: it is allowed
 * @param what there was too much of, e.g. `requests`
 * @throws HttpError 429 with `Retry-After`
 */
export function refuseFor(waitSeconds: number | null, what: string): void {
  if (waitSeconds === null) return;
  const message = `Too many ${what}; try again in ${waitSeconds} seconds.`;
  throw new HttpError(429, 'rate_limited', message, { 'retry-after': String(waitSeconds) });
}
