/** Counts the tokens of a text. Pure; the same text always gives the same number. */
export type CountTokens = (text: string) => number;

/** Merging byte pairs takes quadratic time in the length of a word; longer words are counted in windows. */
const longWordChars = 1000;
const windowChars = 250;

/** Words in the cache, which is cleared when it is full. A longer word would be a slice that keeps its whole text in memory. */
const maxWords = 65_536;
const maxChars = 12;

/**
 * Loads the tokenizer (120 ms and about 30 MB, so only for a feed). Counts are exact, except that an unbroken run of over 1,000 letters or
 * signs is counted in windows.
 */
export async function loadTokenCounter(): Promise<CountTokens> {
  const [{ countTokens }, { O200K_TOKEN_SPLIT_REGEX }] = await Promise.all([
    // gpt-tokenizer counts tokens as the models of OpenAI do. The one vocabulary that the feed uses is bundled.
    import('gpt-tokenizer/encoding/o200k_base'),
    import('gpt-tokenizer/encodingParams/constants'),
  ]);
  // Text such as `<|endoftext|>` is content here, not a control token.
  const asText = { disallowedSpecial: new Set<string>() };
  const known = new Map<string, number>();
  const countWord = (word: string): number => {
    let tokens = known.get(word);
    if (tokens !== undefined) return tokens;
    tokens = 0;
    const window = word.length > longWordChars ? windowChars : longWordChars;
    for (let at = 0; at < word.length; at += window)
      tokens += countTokens(word.slice(at, at + window), asText);
    if (known.size === maxWords) known.clear();
    if (word.length <= maxChars) known.set(word, tokens);
    return tokens;
  };
  // The encoding first splits a text into words and never merges across them, so the sum over words is exact. Prose repeats words.
  return (text) => {
    let tokens = 0;
    for (const word of text.match(O200K_TOKEN_SPLIT_REGEX) ?? []) tokens += countWord(word);
    return tokens;
  };
}
