import { z } from '../foundation/schema.ts';
import { timestamp } from './fields.ts';

/** `true` or `1`, `false` or `0` or nothing, as a query string carries them. */
export const queryBoolean = z
  .enum(['true', 'false', '1', '0', ''], 'must be true or false')
  .transform((text) => text === 'true' || text === '1');

/** A whole number between two bounds, as a query string carries it. */
export function queryInteger(minimum: number, maximum: number) {
  const sentence = `must be a whole number from ${minimum} to ${maximum}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, sentence)
    .transform(Number)
    .pipe(z.number().min(minimum, sentence).max(maximum, sentence));
}

/** A date or a moment, turned into the one spelling records carry. */
export const queryMoment = timestamp.transform((text) => new Date(text).toISOString());
