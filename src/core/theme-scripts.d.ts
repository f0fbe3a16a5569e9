/** The script of the built-in theme that the program also runs: it splits texts into words, as the site, the service and the MCP server compare them. */
declare module '*/templates/assets/tokens.js' {
  /** Converts to lower case without accents. */
  export const fold: (text: string) => string;
  /** Terms of a text, in order, with repetitions. */
  export const tokenize: (text: string, isQuery?: boolean, language?: string) => string[];
  /** A text, and after it the parts of names such as maxRetries in it. */
  export const withParts: (text: string) => string;
  /** Whether words of a language mostly have two syllables with a space between them. */
  export const hasSyllables: (language: string) => boolean;
  /** The characters of a text, each with the signs written on it. */
  export const charactersOf: (text: string) => string[];
  /** Whether a term is one or two characters of a script without spaces, or two syllables. */
  export const isPair: (term: string) => boolean;
  /** Whether readers also write two words with a sign between them as one. Arguments are UTF-16 units and lengths. */
  export const isLink: (sign: number, last: number, first: number, before: number, after: number) => boolean;
  /** Other spellings of a word of a query, e.g. `loschen` of `loeschen` in German. */
  export const spellingsOf: (word: string, language: string) => readonly string[];
  /** Adjacent words of a query that texts may have as one, and that term. */
  export const joinsOf: (
    typed: readonly string[],
  ) => readonly (readonly [words: readonly string[], term: string])[];
}
