import { isLanguageTag } from '../foundation/language.ts';
import { z } from '../foundation/schema.ts';

const languageTag = z
  .string()
  .refine(isLanguageTag, { error: 'must be a BCP 47 language tag such as en or pt-BR' });

/** Largest loss that is accepted without a flag, in percent. */
const dropPercent = z.number().min(0).max(100).default(20);

/** How an API is read over the network; `docs/reliability.md` describes what happens on errors. */
export const networkSettings = z.object({
  /** Longest wait for a connection. */
  connectTimeoutMs: z.number().int().positive().default(10_000),
  /** Longest wait for a response to start. */
  headersTimeoutMs: z.number().int().positive().default(60_000),
  /** A response is given up if less than 1 KiB arrives in this time. */
  bodyTimeoutMs: z.number().int().positive().default(30_000),
  /** Longest time for one response. */
  maxAnswerMs: z.number().int().positive().default(3_600_000),
  /** Largest response, decompressed: 1 GiB holds 100,000 articles of 10 KB. */
  maxAnswerBytes: z.number().int().positive().default(1_073_741_824),
  /** Largest number of articles. */
  maxArticles: z.number().int().positive().default(1_000_000),
  /** Attempts per request; two if the server hangs. */
  maxAttempts: z.number().int().min(1).max(20).default(5),
  /** Longest wait for `Retry-After`. */
  maxRetryAfterMs: z.number().int().nonnegative().default(120_000),
  /** Concurrent requests for single articles. */
  concurrency: z.number().int().min(1).max(64).default(8),
  /**
   * How to list articles: `auto`: in one request, then checked with `limit` and `skip`; `paged`: in pages; `whole`: unchecked.
   */
  listing: z.enum(['auto', 'paged', 'whole']).default('auto'),
  /** Articles per page of `paged`. */
  pageSize: z.number().int().min(2).max(1000).default(100),
  /** Largest loss of articles since the last snapshot, in total and per language. */
  maxDropPercent: dropPercent,
  /**
   * Hours after which every body is read again; 0: always.
   */
  fullReadHours: z.number().min(0).default(24),
  /** Bytes of bodies up to which every run reads everything. */
  fullReadBytes: z.number().int().nonnegative().default(16_777_216),
});

export type NetworkSettings = z.output<typeof networkSettings>;

/** A service with the HTTP API of docs/service.md; `baseUrl` is its URL. */
const apiSource = z.strictObject({
  /** Kind of source (docs/sources.md). */
  kind: z.literal('api').default('api'),
  /** Source from which the articles were pushed, whose URLs are redirected and resolved. */
  copiedFrom: z.enum(['zendesk']).optional(),
  ...networkSettings.shape,
});

/** A folder of Markdown; docs/sources.md describes the layouts. */
const folderSource = z.strictObject({
  /** Kind of source (docs/sources.md). */
  kind: z.literal('folder'),
  /** Folder of the articles (with kind `folder`), e.g. `./docs`. */
  path: z.string().min(1),
  /**
   * Layout of the folder. `pulled`: as `lectern pull` writes it; `plain`: pages with front matter; `auto`: detected.
   */
  layout: z.enum(['auto', 'pulled', 'plain']).default('auto'),
  /**
   * Folder names and suffixes that are languages, e.g. `["de", "pt-BR"]`.
   */
  locales: z.array(languageTag).optional(),
  /** Source from which the articles were pushed, whose URLs are redirected and resolved. */
  copiedFrom: z.enum(['zendesk']).optional(),
  /** Largest loss of articles since the last snapshot, in total and per language. */
  maxDropPercent: dropPercent,
});

/** Zendesk Guide; `baseUrl` is the URL of the help centre. */
const zendeskSource = z.strictObject({
  /** Kind of source (docs/sources.md). */
  kind: z.literal('zendesk'),
  ...networkSettings.omit({ listing: true, pageSize: true, fullReadBytes: true }).shape,
});

/** Where the articles come from, distinguished by `kind`. */
export const sourceSettings = z.discriminatedUnion('kind', [apiSource, folderSource, zendeskSource]);

type SourceSettings = z.output<typeof sourceSettings>;

/** Products whose legacy URLs lead to the articles: the hosted help centre or Zendesk Guide (both after a copy). */
export type LegacyFormat = 'hosted' | 'zendesk';

/** The forms of legacy URLs of a site with this source. */
export function legacyFormats(source: SourceSettings): readonly LegacyFormat[] {
  if (source.kind === 'zendesk') return ['zendesk'];
  return source.copiedFrom === undefined ? ['hosted'] : ['hosted', source.copiedFrom];
}

/** Network settings of a run. A folder source has no network settings and gets the defaults. */
export function networkOf(source: SourceSettings): NetworkSettings {
  return networkSettings.parse(source.kind === 'folder' ? {} : source);
}
