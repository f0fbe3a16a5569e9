import { z } from '../foundation/schema.ts';

/** How the knowledge base is read over the network; `docs/reliability.md` says what happens when it goes wrong. */
export const sourceSettings = z.strictObject({
  /** Longest wait for a connection, TLS handshake included. */
  connectTimeoutMs: z.number().int().positive().default(10_000),
  /** Longest wait for an answer to begin; a server may need a while to gather a long list. */
  headersTimeoutMs: z.number().int().positive().default(60_000),
  /** Longest silence within an answer; an answer slower than 1 KiB in this time is given up too. */
  bodyTimeoutMs: z.number().int().positive().default(30_000),
  /** Longest time one answer may take in all. */
  maxAnswerMs: z.number().int().positive().default(3_600_000),
  /** Largest answer in bytes, decompressed. */
  maxAnswerBytes: z.number().int().positive().default(8_589_934_592),
  /** Largest number of articles a list may hold. */
  maxArticles: z.number().int().positive().default(1_000_000),
  /** How often a request is made before the run gives up, the first time included; twice where the server hangs. */
  maxAttempts: z.number().int().min(1).max(20).default(5),
  /** Longest wait a server may ask for with `Retry-After`; a longer one is cut to this. */
  maxRetryAfterMs: z.number().int().nonnegative().default(120_000),
  /** Requests at the same time, where articles must be read one by one. */
  concurrency: z.number().int().min(1).max(64).default(8),
  /**
   * How the list of articles is read. `auto`: whole, then checked with `limit` and `skip`. `paged`: page by page from
   * the start. `whole`: whole and not checked, for a server that ignores `skip` but is known to send everything.
   */
  listing: z.enum(['auto', 'paged', 'whole']).default('auto'),
  /** Articles per page where the list is read in pages. */
  pageSize: z.number().int().min(2).max(1000).default(100),
  /** Largest loss of articles since the last snapshot, in percent, in all and per language, without `--allow-mass-delete`. */
  maxDropPercent: z.number().min(0).max(100).default(20),
  /**
   * Hours after which every body is read again although the list reports no change (an edited translation may not
   * move `updated_at`); 0 reads everything on every run.
   */
  fullReadHours: z.number().min(0).default(24),
  /** Size of all bodies, in bytes, up to which a run always reads everything in one request. */
  fullReadBytes: z.number().int().nonnegative().default(16_777_216),
});
