/** Seconds a caller has to wait, or `null` if the request is allowed. */
export type RateLimit = (caller: string) => number | null;

/** At most twice as many buckets are in memory. A caller that is silent while this many others ask may get a full bucket again. */
const maxCallers = 10_000;

interface Bucket {
  readonly tokens: number;
  /** When it had as many. */
  readonly at: number;
}

/**
 * A token bucket per caller: up to `perMinute` requests at once, refilled evenly over a minute. `0` means no limit.
 * @param clock milliseconds since any fixed moment
 */
export function createRateLimit(perMinute: number, clock: () => number): RateLimit {
  if (perMinute === 0) return () => null;
  const perMs = perMinute / 60_000;
  let recent = new Map<string, Bucket>();
  let older = recent;
  return (caller) => {
    const now = clock();
    const known = recent.get(caller) ?? older.get(caller);
    // The system clock may have been set back.
    const last = known !== undefined && known.at <= now ? known : { tokens: perMinute, at: now };
    const tokens = Math.min(perMinute, last.tokens + (now - last.at) * perMs);
    const isAllowed = tokens >= 1;
    recent.set(caller, isAllowed ? { tokens: tokens - 1, at: now } : last);
    if (recent.size === maxCallers) {
      older = recent;
      recent = new Map();
    }
    return isAllowed ? null : Math.ceil((1 - tokens) / perMs / 1000);
  };
}
