/** Text that reads like an order to a language model. It is published unchanged; the flag lets a consumer decide. */
export interface InjectionFlag {
  readonly rule: string;
  readonly severity: InjectionRule['severity'];
  /** The words that matched, cut short. */
  readonly excerpt: string;
}

/** What reads like an order to a language model. */
export interface InjectionRule {
  readonly rule: string;
  readonly severity: 'high' | 'medium';
  readonly pattern: RegExp;
  /** Source of a pattern, quick to look for, that matches in every text the rule does, in either case; `null`: the rule is quick. */
  readonly stem: string | null;
}

/** Orders count at the start of a line or sentence alone: help articles talk about ignoring settings all the time. */
const start = String.raw`(?:^|[.!?:;。！？]["'”’)]?\s*|["'“‘(]|(?:^|[.!?]\s+)(?:please|now|important)[,:]?\s+)`;
const order = (words: string) => new RegExp(`${start}(?:${words})`, 'gimu');

/** All rules, in the order their flags are listed. */
export const injectionRules: readonly InjectionRule[] = [
  {
    rule: 'chat-template',
    severity: 'high',
    pattern:
      /<\|(?:im_start|im_end|im_sep|system|user|assistant|endoftext|begin_of_text|start_header_id|end_header_id|eot_id)\|>|\[\/?INST\]|<<\/?SYS>>|^#{2,4} (?:System|Instruction|Assistant):/gm,
    stem: null,
  },
  {
    rule: 'override-instructions',
    severity: 'high',
    pattern: order(
      [
        String.raw`(?:please\s+)?(?:ignore|disregard|forget|override|bypass)\s+(?:(?:all|any|every|the|your|of|these|those|my)\s+){0,3}(?:previous|prior|above|earlier|preceding|foregoing|existing|original|system)\s+(?:instruction|prompt|rule|guideline|direction|message|command|context)s?`,
        String.raw`(?:please\s+)?(?:ignore|disregard|forget)\s+(?:everything|anything|all)\s+(?:above|before|you (?:were|have been) told)`,
        String.raw`ignorier(?:e|en sie|t)\s+(?:alle\s+)?(?:vorherigen|vorigen|bisherigen|obigen|früheren)\s+(?:anweisungen|regeln|befehle)`,
        String.raw`(?:ignore[zr]?|oublie[zr]?)\s+(?:toutes\s+)?les\s+(?:instructions|consignes|règles)\s+(?:précédentes|antérieures|ci-dessus)`,
        String.raw`(?:ignor[ae]|olvid[ae])\s+(?:todas\s+)?las\s+(?:instrucciones|reglas|órdenes)\s+(?:anteriores|previas)`,
        String.raw`(?:ignore|esqueça)\s+(?:todas\s+)?as\s+(?:instruções|regras)\s+(?:anteriores|acima)`,
        String.raw`(?:ignora|dimentica)\s+(?:tutte\s+)?le\s+istruzioni\s+precedenti`,
        String.raw`(?:игнорируй(?:те)?|забудь(?:те)?)\s+(?:все\s+)?(?:предыдущие|прежние)\s+(?:инструкции|указания|правила)`,
        '(?:请)?(?:忽略|无视)(?:你)?(?:之前|以上|上面|先前|前面)的?(?:所有|全部)?(?:指令|指示|说明|提示|规则)',
        '(?:以前|上記|これまで|前)の(?:すべての|全ての)?(?:指示|命令|ルール)(?:を|は)(?:すべて|全て)?無視',
        String.raw`تجاهل\s+(?:جميع\s+|كل\s+)?التعليمات\s+السابقة`,
      ].join('|'),
    ),
    stem: 'ignor|disregard|forget|override|bypass|oublie|olvid|esqueça|dimentica|игнорируй|забудь|忽略|无视|無視|تجاهل',
  },
  {
    rule: 'assume-role',
    severity: 'medium',
    pattern: order(
      String.raw`(?:you are now|from now on,? you (?:are|act as)|act as|pretend (?:to be|you are))\s+(?:an?\s+|the\s+)?(?:(?:unrestricted|unfiltered|jailbroken|different|evil|helpful)\s+)?(?:ai|assistant|chatbot|bot|language model|model|dan|developer mode|system)\b`,
    ),
    stem: 'you are now|from now on|act as|pretend',
  },
  {
    rule: 'reveal-prompt',
    severity: 'medium',
    pattern: order(
      String.raw`(?:reveal|print|repeat|output|show|tell me)\s+(?:me\s+)?(?:your|the)\s+(?:system|initial|hidden|original)\s+(?:prompt|instructions|message)`,
    ),
    stem: String.raw`(?:system|initial|hidden|original)\s+(?:prompt|instructions|message)`,
  },
  {
    rule: 'hide-from-user',
    severity: 'medium',
    pattern: order(
      String.raw`(?:do not|don't|never)\s+(?:tell|inform|mention|reveal|show)[^.\n]{0,40}\b(?:the user|the customer|the reader)\b`,
    ),
    stem: String.raw`(?:do not|don't|never)\s+(?:tell|inform|mention|reveal|show)`,
  },
];

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
