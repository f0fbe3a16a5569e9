/** Counts the tokens of a text. Pure; the same text always gives the same number. */
export type CountTokens = (text: string) => number;

/** Written into the manifest, so that a consumer knows what `tokens` means. */
export const tokenizer = { name: 'gpt-tokenizer', version: '4', encoding: 'o200k_base' } as const;

/** Merging byte pairs costs the square of a piece's length; a piece longer than this is counted in windows. */
const longPieceChars = 1000;
const windowChars = 250;

/** Pieces whose counts are remembered: prose says the same words again and again. */
const rememberedPieces = 60_000;

/**
 * Loads the tokenizer (120 ms and some 30 MB, therefore only when a feed is made).
 * Counts are exact, except that an unbroken run of over 1,000 letters or signs is counted in windows.
 */
export async function loadTokenCounter(): Promise<CountTokens> {
  const [{ countTokens }, { O200K_TOKEN_SPLIT_REGEX: pieces }] = await Promise.all([
    import('gpt-tokenizer/encoding/o200k_base'),
    import('gpt-tokenizer/encodingParams/constants'),
  ]);
  // Text such as `<|endoftext|>` is content here, never a control token.
  const asText = { disallowedSpecial: new Set<string>() };
  const known = new Map<string, number>();

  // The encoding first splits a text into pieces and never merges across them, so the sum over pieces is exact.
  const countPiece = (piece: string): number => {
    if (piece.length > longPieceChars) return countWindows(piece);
    const tokens = countTokens(piece, asText);
    if (known.size >= rememberedPieces) known.clear();
    known.set(piece, tokens);
    return tokens;
  };
  const countWindows = (piece: string): number => {
    let tokens = 0;
    for (let at = 0; at < piece.length; at += windowChars) {
      tokens += countTokens(piece.slice(at, at + windowChars), asText);
    }
    return tokens;
  };
  return (text) => {
    let tokens = 0;
    for (const piece of text.match(pieces) ?? []) tokens += known.get(piece) ?? countPiece(piece);
    return tokens;
  };
}
