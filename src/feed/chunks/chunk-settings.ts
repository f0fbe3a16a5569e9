/** Sizes of chunks, in tokens of their Markdown. */
export interface ChunkSettings {
  /** A section below this is joined to its neighbour. */
  readonly minTokens: number;
  /** What cutting an overlong section aims at. */
  readonly targetTokens: number;
  /** A section above this is cut between its blocks. */
  readonly softMaxTokens: number;
  /** A table, code block, list or callout above this is cut too. */
  readonly maxTokens: number;
}

/**
 * Raised whenever the same document and settings would give other chunks: consumers then see a `rechunk` operation
 * and not a change of content.
 */
export const chunkerVersion = 1;
