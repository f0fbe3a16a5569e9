/** Scripts of the built-in theme that the program also runs. */
declare module '*/templates/assets/tokens.js' {
  export const fold: (text: string) => string;
  export const tokenize: (text: string, isQuery?: boolean, language?: string) => string[];
  export const hasSyllables: (language: string) => boolean;
  export const charactersOf: (text: string) => string[];
  export const isPair: (term: string) => boolean;
  export const isLink: (sign: number, last: number, first: number, before: number, after: number) => boolean;
  export const spellingsOf: (word: string, language: string) => string[];
  export const joinsOf: (typed: readonly string[]) => [words: string[], term: string][];
}
