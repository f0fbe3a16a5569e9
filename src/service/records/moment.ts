/** A date or moment in ISO 8601, spelled the one way the service answers: UTC with milliseconds. */
export function toMoment(timestamp: string): string {
  return new Date(timestamp).toISOString();
}

/** `now`, or one millisecond after `previous` where the clock has not moved (or has moved back) since then. */
export function laterThan(previous: string, now: string): string {
  return now > previous ? now : new Date(Date.parse(previous) + 1).toISOString();
}
