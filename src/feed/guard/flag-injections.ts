import { longRuns } from './long-runs.ts';

/** A sign of a prompt injection that does not depend on what is said, or in which language. */
interface InjectionRule {
  readonly rule: string;
  readonly severity: 'high' | 'medium';
  /** Finds the signs in a text. */
  readonly find: (text: string) => readonly string[];
}

/** Marks of the chat formats of language models: in a help article, they end the article and begin a turn of somebody else. */
const chatTemplate =
  /<\|(?:im_start|im_end|im_sep|system|user|assistant|endoftext|begin_of_text|start_header_id|end_header_id|eot_id)\|>|\[\/?INST\]|<<\/?SYS>>|<\/?(?:system|assistant|system[-_]prompt)>|^#{2,4} (?:System|Instruction|Assistant):|^SYSTEM PROMPT:|^Human:[^\n]{0,500}?\bAssistant:/gmu;

/** Base64 that may be a sentence: shorter ones are ids and keys. */
const minEncodedChars = 40;
const encoded = /(?<![\w+/=-])[A-Za-z0-9+/]{40,4000}={0,2}(?![\w+/=-])/g;

/** Words with spaces between them; keys, hashes, images and JSON have none. */
const words = /^[\p{L}\p{M}\p{N}\p{P}\s]+$/u;

const injectionRules: readonly InjectionRule[] = [
  {
    rule: 'chat-template',
    severity: 'high',
    find: (text) => [...text.matchAll(chatTemplate)].map(([mark]) => mark),
  },
  {
    rule: 'encoded-text',
    severity: 'medium',
    find: (text) =>
      longRuns(text, minEncodedChars).flatMap((run) => run.match(encoded)?.filter(isEncodedText) ?? []),
  },
];

/** A sign of a prompt injection. The text is published unchanged; the flag lets a consumer decide. */
export interface InjectionFlag {
  readonly rule: string;
  readonly severity: InjectionRule['severity'];
  /** The matched characters, shortened. */
  readonly excerpt: string;
}

const maxFlags = 20;
const excerptChars = 80;

/**
 * Flags the marks of chat formats, and sentences that are encoded as Base64. Best effort: it does not understand what a text says, so it does
 * not find an order in plain words.
 */
export function flagInjections(published: string): readonly InjectionFlag[] {
  return injectionRules
    .flatMap(({ rule, severity, find }) =>
      find(published).map((sign) => ({ rule, severity, excerpt: sign.slice(0, excerptChars) })),
    )
    .slice(0, maxFlags);
}

function isEncodedText(block: string): boolean {
  const text = Buffer.from(block, 'base64').toString('utf8');
  return words.test(text) && text.split(/\s+/).length >= 5;
}
