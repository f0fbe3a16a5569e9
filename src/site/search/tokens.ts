import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The one tokenizer; it lives among the theme's assets because browsers load the very same file. */
export interface Tokens {
  /** Lower case without accents. */
  readonly fold: (text: string) => string;
  /** Terms of a text, in order, with repetitions. */
  readonly tokenize: (text: string, isQuery?: boolean) => string[];
}

/** @param builtInTemplates absolute folder of the built-in theme */
export async function loadTokens(builtInTemplates: string): Promise<Tokens> {
  return import(pathToFileURL(join(builtInTemplates, 'assets/tokens.js')).href) as Promise<Tokens>;
}
