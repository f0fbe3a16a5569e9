/** Names that Windows keeps for devices; as folder names they cannot be used there, and some look like languages. */
const deviceNames = new Set(['con', 'prn', 'aux', 'nul']);

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
