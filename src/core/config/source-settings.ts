import { usualDropPercent } from '../guard-loss.ts';
import { isLanguageTag, withKnownRegion } from '../language.ts';
import { z } from '../schema.ts';

export const languageTag = z
  .string()
  .refine(isLanguageTag, { error: 'must be a BCP 47 language tag such as en or pt-BR' })
  .overwrite(withKnownRegion);

/** Path of a folder. In settings, and behind `--out=`, no shell replaces a `~`, so that a folder of this name would be made. */
export const folderPath = z
  .string()
  .min(1)
  .refine((path) => !/^~(?:\/|$)/.test(path), {
    error: 'must be a path without ~, which only a shell replaces by your home folder',
  });

/** Limits of every request to an API; `docs/deploy.md` describes what happens on errors. */
const networkLimits = {
  /** How many articles and files are requested at the same time. A server that limits the rate says when to ask again. */
  concurrency: 8,
  /** Lectern gives up if a response does not start in this time. */
  headersTimeoutMs: 60_000,
  /** Lectern gives up when less than 1 KiB of a response has arrived in this time. */
  bodyTimeoutMs: 30_000,
  /** Largest response, after decompression. 1 GiB holds 100,000 articles of 10 KB. */
  maxAnswerBytes: 2 ** 30,
  maxArticles: 1_000_000,
  /** How often a request is tried. If the server hangs, it is tried only twice. */
  maxAttempts: 5,
  /** How many articles a page of a paged list has. */
  pageSize: 100,
  /** A help centre whose texts have fewer bytes is read completely by every run. */
  fullReadBytes: 2 ** 24,
  /** Later, a run reads all texts again, and not only those whose date changed, because a service may not date each edit. */
  fullReadHours: 24,
};

/** A service with the HTTP API of docs/service.md; `baseUrl` is its URL. */
const apiSource = z.strictObject({
  /** Where the articles come from: the API at `baseUrl`, a folder, a built site, or Zendesk Guide. See docs/sources.md. */
  kind: z.literal('api').default('api'),
  /** How Lectern lists the articles: in one request whose end is checked (`auto`), in pages (`paged`), for a server that cannot send all at once, or unchecked (`whole`), for one that ignores `skip`. */
  listing: z.enum(['auto', 'paged', 'whole']).default('auto'),
});

/** A folder of Markdown; docs/sources.md describes the layouts. */
const folderSource = z.strictObject({
  /** Where the articles come from: the API at `baseUrl`, a folder, a built site, or Zendesk Guide. See docs/sources.md. */
  kind: z.literal('folder'),
  /** Folder with the articles, e.g. `./docs`, or the folder of a built site. */
  path: folderPath,
  /** `plain` is for Markdown in the project of a site generator that does not publish it, `pulled` for what `lectern pull` wrote. With `auto`, Lectern finds out. */
  layout: z.enum(['auto', 'pulled', 'plain']).default('auto'),
  /** Names of folders and suffixes of files that are languages, e.g. `["de", "pt-BR"]`, if Lectern takes another one, such as `it/`, for a language. */
  locales: z.array(languageTag).optional(),
  /** For authors of formulas: reads `$x^2$` and `$$…$$`. Prices such as `$5` stay text. */
  math: z.boolean().default(false),
});

const selectorText = z.string().min(1).max(2000);

/** A site that another program built; docs/sources.md describes what is read of it. */
const siteSource = z.strictObject({
  /** Where the articles come from: the API at `baseUrl`, a folder, a built site, or Zendesk Guide. See docs/sources.md. */
  kind: z.literal('site'),
  /** Folder with the articles, e.g. `./docs`, or the folder of a built site. */
  path: folderPath,
  /** Selector of the main text of a page, if Lectern does not know the theme, e.g. `#content`. */
  content: selectorText.optional(),
  /** Selector of parts of the main text to leave out, e.g. `.feedback`. */
  ignore: selectorText.optional(),
});

/** Zendesk Guide; `baseUrl` is the URL of the help centre. */
const zendeskSource = z.strictObject({
  /** Where the articles come from: the API at `baseUrl`, a folder, a built site, or Zendesk Guide. See docs/sources.md. */
  kind: z.literal('zendesk'),
});

/** Where the articles come from, distinguished by `kind`. */
export const sourceSettings = z.discriminatedUnion(
  'kind',
  [apiSource, folderSource, siteSource, zendeskSource],
  {
    error: ({ input }) =>
      typeof input === 'object' && input !== null
        ? undefined
        : 'must be an object such as { "kind": "folder", "path": "./docs" }',
  },
);

export type SourceSettings = z.output<typeof sourceSettings>;

/** How an API is read over the network. */
export type NetworkSettings = typeof networkLimits & Pick<z.output<typeof apiSource>, 'listing'>;

/** Whether the records of a source are files of a folder, so that reading them needs no network. */
export function isLocal<Source extends Pick<SourceSettings, 'kind'>>(
  source: Source,
): source is Extract<Source, { readonly kind: 'folder' | 'site' }> {
  return source.kind === 'folder' || source.kind === 'site';
}

/**
 * Largest part of the articles that a build loses without a flag, in percent, in total and in each language. The list of an API may be
 * incomplete; files are deleted on purpose, unless most of them are gone.
 */
export function maxDropPercent(source: Pick<SourceSettings, 'kind'>): number {
  return isLocal(source) ? 50 : usualDropPercent;
}

/** Products whose legacy URLs lead to the articles: the hosted help centre or Zendesk Guide (both after a copy). */
export type LegacyFormat = 'hosted' | 'zendesk';

/** The forms of legacy URLs of a site with this source, if `redirects.movedFrom` does not say it. */
export function legacyFormats(
  source: SourceSettings,
  movedFrom: readonly LegacyFormat[] | undefined,
): readonly LegacyFormat[] {
  if (movedFrom !== undefined) return movedFrom;
  if (source.kind === 'site') return [];
  return [source.kind === 'zendesk' ? 'zendesk' : 'hosted'];
}

/** Limits of requests, and how a source lists its articles; only that of the API has a setting for it. */
export function networkOf(source?: SourceSettings): NetworkSettings {
  return { ...networkLimits, listing: source?.kind === 'api' ? source.listing : 'auto' };
}
