import { randomInt } from 'node:crypto';
import { limits } from '../../api/fields.ts';
import { languageKey } from '../../foundation/language.ts';
import { slugify } from '../../foundation/slug.ts';

/** A change would leave a record with more translations than it may have. */
export class TooManyTranslations extends Error {
  constructor() {
    super(`A record may have at most ${limits.translations} translations.`);
  }
}

interface Translation {
  readonly language_code: string;
}

/**
 * Applies the `multilingual` part of an update (partial-update rules 2 and 3 of the interface): each element changes
 * the language it names and no other; a new language is added at the end; an element with `is_deleted` removes one.
 * Languages are compared by {@link languageKey}, and a translation keeps the spelling it was created with. The order of
 * languages stays. Throws {@link TooManyTranslations}.
 */
export function mergeTranslations<
  T extends Translation,
  C extends Translation & { readonly is_deleted?: true | undefined },
>(
  current: readonly T[],
  changes: readonly C[] | undefined,
  merge: (before: T | undefined, change: C) => T,
): T[] {
  const byLanguage = new Map(current.map((element) => [languageKey(element.language_code), element]));
  for (const change of changes ?? []) {
    const language = languageKey(change.language_code);
    if (change.is_deleted) byLanguage.delete(language);
    else byLanguage.set(language, merge(byLanguage.get(language), change));
  }
  // A record of before the limit can still be changed.
  if (byLanguage.size > Math.max(limits.translations, current.length)) throw new TooManyTranslations();
  return [...byLanguage.values()];
}

/** A date or moment in ISO 8601, spelled the one way the service answers: UTC with milliseconds. */
export function toMoment(timestamp: string): string {
  return new Date(timestamp).toISOString();
}

/** `now`, or one millisecond after `previous` where the clock has not moved (or has moved back) since then. */
export function laterThan(previous: string, now: string): string {
  return now > previous ? now : new Date(Date.parse(previous) + 1).toISOString();
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** A new id of ten letters or digits from the system's cryptographic source (about 60 bits). */
export function makeId(): string {
  let id = '';
  for (let length = 0; length < 10; length++) id += alphabet.charAt(randomInt(alphabet.length));
  return id;
}

/** Fields of a new record that the service sets. */
export interface RecordOrigin {
  readonly id: string;
  readonly accountId: string;
  /** ISO 8601 in UTC with milliseconds. */
  readonly now: string;
}

/** Slug of a translation: the new one, else the current one, else made from the title. */
export function slugOf(change: string | null | undefined, before: string | null, title: string | null) {
  if (change) return change;
  if (change === undefined && before !== null) return before;
  return title === null ? null : slugify(title);
}

/** The new value, else the current one. `null` is a value, `undefined` is none. */
export function sent<T>(change: T | undefined, current: T): T {
  return change === undefined ? current : change;
}
