import type { Comparable } from './comparable.ts';
import type { FieldChange } from './list-changes.ts';

/** The body of a partial update that carries these changes over, and nothing else. */
export function toUpdate(
  changes: readonly FieldChange[],
  wanted: Comparable,
): Readonly<Record<string, unknown>> {
  const update: Record<string, unknown> = {};
  const elements = new Map<string, Record<string, unknown>>();
  for (const { language, field, after } of changes) {
    if (language === null) {
      update[field] = after;
    } else if (wanted.translations[language] === undefined) {
      elements.set(language, { language_code: language, is_deleted: true });
    } else {
      const element = elements.get(language) ?? { language_code: language };
      element[field] = after;
      elements.set(language, element);
    }
  }
  return elements.size === 0 ? update : { ...update, multilingual: [...elements.values()] };
}
