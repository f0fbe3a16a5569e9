import { type InjectionRule, injectionRules } from './injection-rules.ts';

/** Text that reads like an order to a language model. It is published unchanged; the flag lets a consumer decide. */
export interface InjectionFlag {
  readonly rule: string;
  readonly severity: InjectionRule['severity'];
  /** The words that matched, cut short. */
  readonly excerpt: string;
}

const maxFlags = 20;
const excerptChars = 80;

/** Each rule after its stem, which is much quicker to look for. */
const rulesByStem = injectionRules.map((rule) => ({
  rule,
  stem: rule.stem === null ? null : new RegExp(rule.stem, 'iu'),
}));

/** Flags text that looks like an injection: chat-template tokens anywhere, orders at the start of a line or sentence. */
export function flagInjections(published: string): readonly InjectionFlag[] {
  const revealed = revealWords(published);
  const flags = rulesByStem.flatMap(({ rule: { rule, severity, pattern }, stem }) => {
    const find = (text: string) => (stem !== null && !stem.test(text) ? [] : [...text.matchAll(pattern)]);
    const found = find(published);
    // Words of two scripts next to each other look like one word with lookalike letters: the text itself goes first.
    const matches = found.length > 0 || revealed === published ? found : find(revealed);
    return matches.map(([words]) => ({
      rule,
      severity,
      excerpt: words.replace(/^[\s.!?:;。！？"'”’“‘()]+/u, '').slice(0, excerptChars),
    }));
  });
  return flags.slice(0, maxFlags);
}

/** Cyrillic and Greek letters that look like Latin ones, and those. */
const lookalikes: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from('аеорсухіјѕԁһοανρτι', (letter, at) => [letter, 'aeopcyxijsdhoavpti'.charAt(at)]),
);

/** Writes words with lookalike letters, and words whose letters are set apart, as a reader sees them. */
function revealWords(text: string): string {
  const latin = /[\u0370-\u04ff\u0500-\u052f]/.test(text)
    ? text.replaceAll(/[\p{L}]+/gu, (word) =>
        /[a-z]/i.test(word) && /[\u0370-\u052f]/.test(word)
          ? Array.from(word, (letter) => lookalikes[letter] ?? letter).join('')
          : word,
      )
    : text;
  return latin.replaceAll(
    /(?<![\p{L}\p{N}])\p{L}(?: \p{L}(?![\p{L}\p{N}])){3,}(?: {2,}\p{L}(?: \p{L}(?![\p{L}\p{N}]))+)*/gu,
    (spaced) => spaced.replaceAll(/ (?! )(?<! {2})/g, '').replaceAll(/ {2,}/g, ' '),
  );
}
