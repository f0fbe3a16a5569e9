import { isLanguageTag } from '../foundation/language-tag.ts';
import { z } from '../foundation/schema.ts';

/**
 * A text for all languages, or an object with one text per language tag.
 * @param what the texts must be, for messages: `a text`, `an address that starts with https://, mailto: or /`
 */
export function perLanguage(text: z.ZodString, what: string) {
  return z.union([text, z.record(z.string().refine(isLanguageTag), text)], {
    error: `must be ${what}, or one per language such as { "en": "…", "de": "…" }`,
  });
}
