/** Seconds a caller has to wait, or `null` when the request is allowed. */
export type RateLimit = (caller: string) => number | null;

/** Above this number of callers, those with full buckets are removed. */
const maxCallers = 10_000;

/**
 * A token bucket per caller: `perMinute` requests at once, refilled evenly over a minute. `0` lets everything pass.
 * @param clock milliseconds since any fixed moment.
 */
export function createRateLimit(perMinute: number, clock: () => number): RateLimit {
  if (perMinute === 0) return () => null;
  const perMs = perMinute / 60_000;
  const buckets = new Map<string, { tokens: number; at: number }>();
  return (caller) => {
    const now = clock();
    const last = buckets.get(caller) ?? { tokens: perMinute, at: now };
    const tokens = Math.min(perMinute, last.tokens + (now - last.at) * perMs);
    if (tokens < 1) return Math.ceil((1 - tokens) / perMs / 1000);
    buckets.set(caller, { tokens: tokens - 1, at: now });
    if (buckets.size > maxCallers) removeIdle(buckets, now);
    return null;
  };
}

function removeIdle(buckets: Map<string, { tokens: number; at: number }>, now: number): void {
  for (const [caller, { at }] of buckets) if (now - at >= 60_000) buckets.delete(caller);
}
