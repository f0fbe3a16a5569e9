const rightToLeftScripts = new Set([
  'Adlm',
  'Arab',
  'Aran',
  'Hebr',
  'Mand',
  'Mend',
  'Nkoo',
  'Rohg',
  'Samr',
  'Syrc',
  'Thaa',
]);

/** Writing direction of a language, by the script it is most likely written in (CLDR likely subtags). */
export function textDirection(tag: string): 'ltr' | 'rtl' {
  const script = new Intl.Locale(tag).maximize().script;
  return script !== undefined && rightToLeftScripts.has(script) ? 'rtl' : 'ltr';
}

/** Name of a language in itself, e.g. `Deutsch`, `العربية`; the tag where CLDR knows no name. */
export function languageName(tag: string): string {
  // From Node 22 on, DisplayNames refuses extensions such as the one of en-x-internal.
  const { baseName } = new Intl.Locale(tag);
  const names = new Intl.DisplayNames([tag], { type: 'language', languageDisplay: 'standard' });
  const name = names.of(baseName) ?? tag;
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
}
