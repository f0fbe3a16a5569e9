import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The one tokenizer; it lives among the theme's assets because browsers load the very same file. */
export interface Tokens {
  /** Lower case without accents. */
  readonly fold: (text: string) => string;
  /** Terms of a text, in order, with repetitions. */
  readonly tokenize: (text: string, isQuery?: boolean) => string[];
  /** Whether a term is of a script without spaces: a character, or two. */
  readonly isPair: (term: string) => boolean;
}

/** @param builtInTemplates absolute folder of the built-in theme */
export async function loadTokens(builtInTemplates: string): Promise<Tokens> {
  return import(pathToFileURL(join(builtInTemplates, 'assets/tokens.js')).href) as Promise<Tokens>;
}
