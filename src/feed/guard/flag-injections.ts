import { type InjectionRule, injectionRules } from './injection-rules.ts';

/** Text that reads like an order to a language model. It is published as it stands; the flag lets a consumer decide. */
export interface InjectionFlag {
  readonly rule: string;
  readonly severity: InjectionRule['severity'];
  /** The words that matched, cut short. */
  readonly excerpt: string;
}

const maxFlags = 20;
const excerptChars = 80;

const quickRules = injectionRules.filter(({ stem }) => stem === null);
/** Matches in every text that a rule with a stem matches in: one look at most articles is enough. */
const anyStem = new RegExp(injectionRules.flatMap(({ stem }) => stem ?? []).join('|'), 'iu');

/** Flags injection-looking text: chat-template tokens anywhere, orders at the start of a line or sentence. */
export function flagInjections(text: string): readonly InjectionFlag[] {
  const rules = anyStem.test(text) ? injectionRules : quickRules;
  const flags = rules.flatMap(({ rule, severity, pattern }) =>
    [...text.matchAll(pattern)].map(([words]) => ({
      rule,
      severity,
      excerpt: words.replace(/^[\s.!?:;。！？"'”’“‘()]+/u, '').slice(0, excerptChars),
    })),
  );
  return flags.slice(0, maxFlags);
}
