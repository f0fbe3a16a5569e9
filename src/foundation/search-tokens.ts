/**
 * The one word splitter and folder of the site's search and the service's. It is one of the theme's assets because browsers load
 * the very same file.
 */
import * as tokens from '../../templates/assets/tokens.js';

export interface Tokens {
  /** Lower case without accents. */
  readonly fold: (text: string) => string;
  /** Terms of a text, in order, with repetitions. */
  readonly tokenize: (text: string, isQuery?: boolean) => string[];
  /** Whether a term is of a script without spaces: a character, or two. */
  readonly isPair: (term: string) => boolean;
}

export const { fold, tokenize, isPair }: Tokens = tokens;
