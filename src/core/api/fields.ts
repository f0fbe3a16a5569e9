import { z } from '../schema.ts';
import { limits } from './record-text.ts';

/** A BCP 47 language tag as a client writes it, e.g. `de` or `pt-BR`. */
export const languageCode = z
  .string()
  .regex(/^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/, 'must be a language tag such as "de" or "pt-BR"')
  .max(limits.languageCharacters)
  .describe('BCP 47 language tag, e.g. `de` or `pt-BR`.');

export const title = z.string().min(1).max(limits.titleCharacters);
export const slug = z.string().max(limits.slugCharacters);

/** A string or `null`. */
export const nullableText = z.string().nullable();

/** Other years are written with a sign, and the service adds to the time of the last change. */
function isStoredYear(text: string): boolean {
  return /^(?!9999)\d{4}-/.test(new Date(text).toISOString());
}

const yearError = { error: 'must be in the years 0 to 9998', abort: true };

/** A date or time, ISO 8601. The service returns times in UTC with milliseconds. */
export const timestamp = z
  .union(
    [z.iso.datetime({ offset: true }), z.iso.date()],
    'must be a date such as 2026-01-31 or a time such as 2026-01-31T12:00:00Z',
  )
  .refine(isStoredYear, yearError)
  .describe('ISO 8601, e.g. `2026-01-31T12:00:00.000Z`.');

/**
 * A time at which something becomes public or stops being public, or `null`. It needs a zone: without one, it would depend on the machine
 * when an article is published.
 */
export const scheduleTime = z.iso
  .datetime({ offset: true, error: 'must be a time with a zone, such as 2026-01-31T12:00:00Z' })
  .refine((text) => Number.isNaN(Date.parse(text)) || isStoredYear(text), yearError)
  .nullable();

/** A boolean in a query string: `true` or `1`, `false`, `0` or empty, in any case. Its `parameter` is the schema of the OpenAPI document. */
export const queryBoolean = z
  .string()
  .toLowerCase()
  .pipe(z.enum(['true', 'false', '1', '0', ''], 'must be true or false'))
  .transform((text) => text === 'true' || text === '1')
  .meta({ parameter: { type: 'boolean' } });

/** A whole number between two bounds in a query string. */
export function queryInteger(minimum: number, maximum: number) {
  const sentence = `must be a whole number from ${minimum} to ${maximum}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, sentence)
    .transform(Number)
    .pipe(z.number().min(minimum, sentence).max(maximum, sentence))
    .meta({ parameter: { type: 'integer', minimum, maximum } });
}

/** A date or time, converted to the format of records. */
export const queryMoment = timestamp.transform((text) => new Date(text).toISOString());
