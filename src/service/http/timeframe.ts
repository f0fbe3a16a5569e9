import { HttpError } from '../../core/net/http-error.ts';

const dayMs = 86_400_000;
const defaultDays = 30;

/** First and last day (UTC) of a query; by default the last 30 days. Throws 400 if the first is later. */
export function timeframe(
  query: { readonly start_date?: string | undefined; readonly end_date?: string | undefined },
  clock: () => number,
): { readonly from: string; readonly to: string } {
  const to = query.end_date ?? toDay(clock());
  const from = query.start_date ?? toDay(Date.parse(to) - (defaultDays - 1) * dayMs);
  if (from <= to) return { from, to };
  throw new HttpError(400, 'invalid_parameter', `The start_date ${from} is after the end_date ${to}.`);
}

/** A time as a day (UTC). */
export function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
