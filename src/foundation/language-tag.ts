/** Names that Windows keeps for devices; as folder names they cannot be used there, and some look like languages. */
const deviceNames = new Set(['con', 'prn', 'aux', 'nul']);

/** What makes two tags one language: RFC 5646 ignores case, and has current codes for old ones (`iw` is `he`). */
export function languageKey(tag: string): string {
  let key = keys.get(tag);
  if (key === undefined) {
    key = (isLanguageTag(tag) ? (Intl.getCanonicalLocales(tag)[0] ?? tag) : tag).toLowerCase();
    if (keys.size === mostKeys) keys.clear();
    keys.set(tag, key);
  }
  return key;
}

/** Asking Intl takes long, and a knowledge base repeats a few tags in every record. */
const keys = new Map<string, string>();
const mostKeys = 1000;

/**
 * Whether a text is a BCP 47 language tag that is also a safe folder name: ASCII letters and digits joined by hyphens,
 * beginning with a language of two or three letters (longer ones are reserved and never given out).
 */
export function isLanguageTag(text: string): boolean {
  if (!/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*$/.test(text) || text.length > 35) return false;
  if (deviceNames.has(text.toLowerCase())) return false;
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}
