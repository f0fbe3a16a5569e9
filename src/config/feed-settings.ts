import { z } from '../foundation/schema.ts';

/** What the chatbot feed holds; `docs/feed.md` describes its files. */
export const feedSettings = z.strictObject({
  /** One-line description of the help centre, for `llms.txt`. */
  summary: z.string().min(1).optional(),
  /** Sizes of chunks, in tokens. A change causes a `rechunk` of the affected documents. */
  chunks: z
    .strictObject({
      /** A section below this is joined to its neighbour. */
      minTokens: z.int().min(1).default(80),
      /** Target size when a section is cut. */
      targetTokens: z.int().min(1).default(300),
      /** A section above this is cut between its blocks. */
      softMaxTokens: z.int().min(1).default(512),
      /** A table, code block, list or callout above this is cut too. */
      maxTokens: z.int().min(1).default(800),
    })
    .prefault({}),
  /** Characters of one `llms.txt`; above, one file per top-level category. */
  llmsChars: z.int().min(1000).default(50_000),
  /** Characters of one `llms-full.txt`; the rest is in `llms-full-2.txt`. */
  llmsFullChars: z.int().min(1000).default(100_000),
  /** Runs whose changes stay published. */
  keepRuns: z.int().min(1).default(100),
  /** Hours for which a signature is valid; more than between two builds. */
  signatureHours: z.int().min(1).default(168),
  /** Fingerprints of strings that only look like credentials (from the error). */
  allowSecrets: z.array(z.string()).default([]),
});

/** Settings of the feed with every default filled in. */
export type FeedSettings = z.output<typeof feedSettings>;
