/**
 * Reads a `Retry-After` header (RFC 9110, 10.2.3): whole seconds or an HTTP date.
 * Gives milliseconds from `nowMs`, never negative; `null` for a header that is absent or makes no sense.
 */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | null {
  const text = value?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  // Only the date forms of HTTP: Date.parse alone would take "1.5" for a month.
  if (!/^[A-Za-z]{3,9},? /.test(text)) return null;
  const date = Date.parse(/GMT|UTC|[+-]\d{4}$/.test(text) ? text : `${text} GMT`);
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}
