import { hash } from 'node:crypto';
import type { LanguageTag } from '../../foundation/model.ts';

/** Chosen once for Lectern; every UUID of a feed is made from it and a record id (RFC 9562, version 5). */
const uuidNamespace = Buffer.from('6f0b7a5e3c4d4f0b9d3a1e8c52b7f4d1', 'hex');

/** Language tags in ids stay within this, so that chunk ids keep within 63 characters. */
const languageChars = 24;

/**
 * Id of an article in one language: `a-<article id>-<language>`, in `[a-z0-9-]`, at most 63 characters, never reused.
 * Article ids tell upper and lower case apart and platforms do not, so a bit per upper-case letter follows the `a` in hex.
 */
export function documentId(articleId: string, language: LanguageTag): string {
  let upperCase = 0n;
  for (const letter of articleId) {
    upperCase = (upperCase << 1n) | (letter >= 'A' && letter <= 'Z' ? 1n : 0n);
  }
  const mask = upperCase === 0n ? '' : upperCase.toString(16);
  return `a${mask}-${articleId.toLowerCase()}-${languagePart(language)}`;
}

/** UUID of a record for the platforms that take nothing else (Qdrant, Weaviate): version 5, from the record id. */
export function recordUuid(id: string): string {
  const hex = hash('sha1', Buffer.concat([uuidNamespace, Buffer.from(id)]));
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** SHA-256 of a text in UTF-8, hex. */
export function sha256(text: string): string {
  return hash('sha256', text);
}

function languagePart(language: LanguageTag): string {
  const tag = language.toLowerCase().replaceAll(/[^a-z0-9]/g, '-');
  return tag.length <= languageChars ? tag : `x-${sha256(tag).slice(0, languageChars - 2)}`;
}
