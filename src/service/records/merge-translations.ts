interface Translation {
  readonly language_code: string;
}

/**
 * Applies the `multilingual` part of an update (partial-update rules 2 and 3 of the interface): each element changes
 * the language it names and no other; a new language is added at the end; an element with `is_deleted` removes one.
 * The order of languages stays.
 */
export function mergeTranslations<
  T extends Translation,
  C extends Translation & { readonly is_deleted?: true | undefined },
>(
  current: readonly T[],
  changes: readonly C[] | undefined,
  merge: (before: T | undefined, change: C) => T,
): T[] {
  const byLanguage = new Map(current.map((translation) => [translation.language_code, translation]));
  for (const change of changes ?? []) {
    const language = change.language_code;
    if (change.is_deleted) byLanguage.delete(language);
    else byLanguage.set(language, merge(byLanguage.get(language), change));
  }
  return [...byLanguage.values()];
}
