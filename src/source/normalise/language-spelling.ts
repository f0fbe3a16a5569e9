import { languageKey } from '../../foundation/language-tag.ts';
import type { LanguageTag } from '../../foundation/model.ts';
import { type Problem, problem } from '../../foundation/problems.ts';

export interface Speller {
  /** The one spelling of a language. */
  readonly spell: (tag: LanguageTag) => LanguageTag;
  /** A report of every language that is spelled in several ways or published under a deprecated code. */
  readonly problems: readonly Problem[];
}

/**
 * Gives every language one spelling, since `pt-BR` and `pt-br` are one language and, on many disks, one folder: the
 * configured one, else the most frequent, else the first in code-unit order.
 */
export function createSpeller(
  used: Iterable<LanguageTag>,
  configured: readonly LanguageTag[],
  defaultLanguage: LanguageTag,
): Speller {
  const counts = new Map<LanguageTag, number>();
  for (const tag of used) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  const groups = new Map<string, LanguageTag[]>();
  for (const tag of [...counts.keys()].sort()) {
    const group = groups.get(languageKey(tag)) ?? [];
    group.push(tag);
    groups.set(languageKey(tag), group);
  }
  const fixed = new Map([...configured, defaultLanguage].map((tag) => [languageKey(tag), tag]));
  const spellings = new Map<LanguageTag, LanguageTag>();
  const problems: Problem[] = [];
  for (const [key, group] of groups) {
    const frequent = group.reduce((a, b) => ((counts.get(b) ?? 0) > (counts.get(a) ?? 0) ? b : a));
    const chosen = fixed.get(key) ?? frequent;
    for (const tag of group) spellings.set(tag, chosen);
    if (group.length > 1) {
      const message = `${group.join(' and ')} are one language; ${chosen} is used`;
      problems.push(problem('LANGUAGE_SPELLINGS', message, { language: chosen }));
    }
    if (chosen.toLowerCase() !== key) {
      const message = `the current code of the language ${chosen} is ${key}; its pages are published under ${chosen}`;
      problems.push(problem('LANGUAGE_DEPRECATED', message, { language: chosen }));
    }
  }
  return { spell: (tag) => spellings.get(tag) ?? fixed.get(languageKey(tag)) ?? tag, problems };
}
