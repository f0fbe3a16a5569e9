import { z } from '../foundation/schema.ts';

/** A BCP 47 language tag as a client writes it, e.g. `de` or `pt-BR`. */
export const languageCode = z
  .string()
  .regex(/^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/, 'must be a language tag such as "de" or "pt-BR"')
  .describe('BCP 47 language tag, e.g. `de` or `pt-BR`.');

/** A text that may be missing. */
export const nullableText = z.string().nullable();

/** A date or a moment, ISO 8601. The service answers moments in UTC with milliseconds. */
export const timestamp = z
  .union(
    [z.iso.datetime({ offset: true }), z.iso.date()],
    'must be a date such as 2026-01-31 or a moment such as 2026-01-31T12:00:00Z',
  )
  .describe('ISO 8601, e.g. `2026-01-31T12:00:00.000Z`.');
