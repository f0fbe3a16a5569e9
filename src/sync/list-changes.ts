import type { Comparable } from './comparable.ts';

/** One field that differs. */
export interface FieldChange {
  /** `null`: the record itself. */
  readonly language: string | null;
  readonly field: string;
  /** `undefined`: there is none. */
  readonly before: unknown;
  readonly after: unknown;
}

/** Every field in which two versions of a record differ, own fields first, then by language. */
export function listChanges(before: Comparable | null, after: Comparable | null): readonly FieldChange[] {
  const languages = [
    ...new Set([...Object.keys(before?.translations ?? {}), ...Object.keys(after?.translations ?? {})]),
  ].sort();
  return [
    ...compareFields(null, before?.fields, after?.fields),
    ...languages.flatMap((language) =>
      compareFields(language, before?.translations[language], after?.translations[language]),
    ),
  ];
}

type Fields = Readonly<Record<string, unknown>>;

function compareFields(language: string | null, before: Fields = {}, after: Fields = {}): FieldChange[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    .map((field) => ({ language, field, before: before[field], after: after[field] }));
}

/** The body of a partial update with exactly these changes. */
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
