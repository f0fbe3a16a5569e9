import { injectionRules } from '../../../src/feed/guard/flag-injections.ts';

/** Rules that match a text without their stem. */
export function missedByStems(said: string): readonly string[] {
  return injectionRules.flatMap(({ rule, pattern, stem }) =>
    stem !== null && said.match(pattern) !== null && !new RegExp(stem, 'iu').test(said) ? [rule] : [],
  );
}
