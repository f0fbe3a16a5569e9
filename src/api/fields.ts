import { z } from '../foundation/schema.ts';

/** Largest values of a write. */
export const limits = {
  titleCharacters: 1000,
  slugCharacters: 500,
  tags: 200,
  tagCharacters: 200,
  /** Translations of a record, in one write and in all. */
  translations: 200,
  /** Characters of the plain text of an article in one language that can be searched; longer texts are kept whole. */
  indexedCharacters: 200_000,
};

/** Half a surrogate pair, or NUL: no database and no other program can be trusted to keep them. */
const illFormed = /[\p{Cs}\0]/u;

/** Path of the first string (or key) in a JSON value that holds half a surrogate pair or NUL; `null` without one. */
export function findIllFormedText(value: unknown): readonly PropertyKey[] | null {
  if (typeof value === 'string') return illFormed.test(value) ? [] : null;
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, inside] of Object.entries(value)) {
    const path = illFormed.test(key) ? [] : findIllFormedText(inside);
    if (path !== null) return [Array.isArray(value) ? Number(key) : key, ...path];
  }
  return null;
}

/** The same JSON value with U+FFFD for half a surrogate pair and without NUL. */
export function repairText<T>(value: T): T {
  const text = (string: string) => string.replaceAll(/\p{Cs}/gu, '\ufffd').replaceAll('\0', '');
  return JSON.parse(JSON.stringify(value), (_, inside) =>
    typeof inside === 'string' ? text(inside) : inside,
  );
}

/** A BCP 47 language tag as a client writes it, e.g. `de` or `pt-BR`. */
export const languageCode = z
  .string()
  .regex(/^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/, 'must be a language tag such as "de" or "pt-BR"')
  .describe('BCP 47 language tag, e.g. `de` or `pt-BR`.');

export const title = z.string().min(1).max(limits.titleCharacters);
export const slug = z.string().max(limits.slugCharacters);

/** A text that may be missing. */
export const nullableText = z.string().nullable();

/** A date or a moment, ISO 8601. The service answers moments in UTC with milliseconds. */
export const timestamp = z
  .union(
    [z.iso.datetime({ offset: true }), z.iso.date()],
    'must be a date such as 2026-01-31 or a moment such as 2026-01-31T12:00:00Z',
  )
  .describe('ISO 8601, e.g. `2026-01-31T12:00:00.000Z`.');

/** `true` or `1`, `false` or `0` or nothing, as in a query string. Its `parameter` is the schema of the OpenAPI document. */
export const queryBoolean = z
  .enum(['true', 'false', '1', '0', ''], 'must be true or false')
  .transform((text) => text === 'true' || text === '1')
  .meta({ parameter: { type: 'boolean' } });

/** A whole number between two bounds, as in a query string. */
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
