import { isLanguageTag } from '../foundation/language.ts';
import { z } from '../foundation/schema.ts';

const languageTag = z
  .string()
  .refine(isLanguageTag, { error: 'must be a BCP 47 language tag such as en or pt-BR' });

/** Largest loss that passes without a flag, in percent. */
const dropPercent = z.number().min(0).max(100).default(20);

/** How an API is read over the network; `docs/reliability.md` says what happens when it goes wrong. */
export const networkSettings = z.object({
  /** Longest wait for a connection, TLS handshake included. */
  connectTimeoutMs: z.number().int().positive().default(10_000),
  /** Longest wait for an answer to begin. */
  headersTimeoutMs: z.number().int().positive().default(60_000),
  /** Longest silence within an answer, in which at least 1 KiB must arrive. */
  bodyTimeoutMs: z.number().int().positive().default(30_000),
  /** Longest time one answer may take in all. */
  maxAnswerMs: z.number().int().positive().default(3_600_000),
  /** Largest answer in bytes, decompressed. */
  maxAnswerBytes: z.number().int().positive().default(8_589_934_592),
  /** Largest number of articles a list may hold. */
  maxArticles: z.number().int().positive().default(1_000_000),
  /** Attempts per request, the first included; two if the server hangs. */
  maxAttempts: z.number().int().min(1).max(20).default(5),
  /** Longest wait for `Retry-After`. */
  maxRetryAfterMs: z.number().int().nonnegative().default(120_000),
  /** Concurrent requests when articles are read one by one. */
  concurrency: z.number().int().min(1).max(64).default(8),
  /**
   * How the list of articles is read. `auto`: in one request, then checked with `limit` and `skip`; `paged`: in pages; `whole`: in one request, unchecked.
   */
  listing: z.enum(['auto', 'paged', 'whole']).default('auto'),
  /** Articles per page when the list is read in pages. */
  pageSize: z.number().int().min(2).max(1000).default(100),
  /** Largest loss of articles since the last snapshot, in percent, in total and per language. */
  maxDropPercent: dropPercent,
  /**
   * Hours after which every body is read again; 0: on every run.
   */
  fullReadHours: z.number().min(0).default(24),
  /** Bytes of all bodies up to which every run reads everything. */
  fullReadBytes: z.number().int().nonnegative().default(16_777_216),
});

export type NetworkSettings = z.output<typeof networkSettings>;

/** A service with the HTTP API of docs/service.md; `baseUrl` is its address. */
const apiSource = z.strictObject({
  /** Kind of source (docs/sources.md). */
  kind: z.literal('api').default('api'),
  /** Where `lectern copy` took the articles from: redirects its URLs, and resolves links to them at `content.hosts`. */
  copiedFrom: z.enum(['zendesk']).optional(),
  ...networkSettings.shape,
});

/** A folder of Markdown; docs/sources.md describes the layouts. */
const folderSource = z.strictObject({
  /** Kind of source (docs/sources.md). */
  kind: z.literal('folder'),
  /** Folder of the articles, e.g. `./docs` (with kind `folder`). */
  path: z.string().min(1),
  /**
   * Layout of the folder. `pulled`: as `lectern pull` writes it; `plain`: pages with front matter; `auto`: detected.
   */
  layout: z.enum(['auto', 'pulled', 'plain']).default('auto'),
  /**
   * Names of folders and suffixes that are languages (with kind `folder`), e.g. `["de", "pt-BR"]`.
   */
  locales: z.array(languageTag).optional(),
  /** Where `lectern copy` took the articles from: redirects its URLs, and resolves links to them at `content.hosts`. */
  copiedFrom: z.enum(['zendesk']).optional(),
  /** Largest loss of articles since the last snapshot, in percent, in total and per language. */
  maxDropPercent: dropPercent,
});

/** Zendesk Guide; `baseUrl` is the address of the help centre. */
const zendeskSource = z.strictObject({
  /** Kind of source (docs/sources.md). */
  kind: z.literal('zendesk'),
  ...networkSettings.omit({ listing: true, pageSize: true, fullReadBytes: true }).shape,
});

/** Where the articles come from, distinguished by `kind`. */
export const sourceSettings = z.discriminatedUnion('kind', [apiSource, folderSource, zendeskSource]);

export type SourceSettings = z.output<typeof sourceSettings>;

/** Whose URLs lead to the articles: those of the hosted help centre, of Zendesk Guide, or after a copy of both. */
export type LegacyFormat = 'hosted' | 'zendesk';

/** The forms of legacy URLs of a site with this source. */
export function legacyFormats(source: SourceSettings): readonly LegacyFormat[] {
  if (source.kind === 'zendesk') return ['zendesk'];
  return source.copiedFrom === undefined ? ['hosted'] : ['hosted', source.copiedFrom];
}

/** How addresses are read during a run, whatever its source is: a folder names no timeouts. */
export function networkOf(source: SourceSettings): NetworkSettings {
  return networkSettings.parse(source.kind === 'folder' ? {} : source);
}
