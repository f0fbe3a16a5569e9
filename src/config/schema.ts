import { isLanguageTag } from '../foundation/language.ts';
import { z } from '../foundation/schema.ts';
import { contentSettings } from './content-settings.ts';
import { feedSettings } from './feed-settings.ts';
import { headersSettings } from './headers-settings.ts';
import { mediaSettings } from './media-settings.ts';
import { outputSettings } from './output-settings.ts';
import { redirectsSettings } from './redirects-settings.ts';
import { siteSettings } from './site-settings.ts';
import { sourceSettings } from './source-settings.ts';

const webAddress = (example: string) =>
  z.url({ protocol: /^https?$/, error: `must be a URL such as ${example}` });

const languageTag = z
  .string()
  .refine(isLanguageTag, { error: 'must be a BCP 47 language tag such as en or pt-BR' });

const urlPattern = z
  .string()
  .regex(/\{id\}|\{slug\}/, { error: 'must be a pattern that names {id} or {slug}' })
  .refine(isUrlPattern, {
    error:
      'must be a relative path of plain characters such as {lang}/article/{id}-{slug}, whose only placeholders are {lang}, {id} and {slug}',
  });

/** Everything `lectern.config.json` may hold. One field, one doc comment; stage settings live in a file per stage. */
export const configSchema = z.strictObject({
  /** URL or path of this schema, for editors, e.g. `./node_modules/lectern/docs/schema/config.json`. */
  $schema: z.string().optional(),
  /** URL of the knowledge-base API, ending in its version segment, e.g. `https://kb.example.com/v1`. */
  baseUrl: webAddress('https://kb.example.com/v1').optional(),
  /** Public URL of the help site, e.g. `https://help.example.com/docs`. */
  siteUrl: webAddress('https://help.example.com').optional(),
  /** Folder of the published files. */
  out: z.string().default('dist'),
  /** Language of the records' own title and body. */
  defaultLanguage: languageTag.default('en'),
  /** Languages to publish, in this order; absent means every language of the knowledge base. */
  languages: z.array(languageTag).min(1).optional(),
  /** Folder of snapshot and caches. */
  cache: z.string().default('.lectern'),
  urls: z
    .strictObject({
      /** Pattern of article URLs: `{lang}`, `{id}`, `{slug}`. */
      article: urlPattern.default('{lang}/article/{id}-{slug}'),
      /** Pattern of category URLs: `{lang}`, `{id}`, `{slug}`. */
      category: urlPattern.default('{lang}/category/{id}-{slug}'),
      /** Pattern of article URLs in the default language, where it differs, e.g. `article/{id}-{slug}`. */
      defaultArticle: urlPattern.optional(),
      /** Pattern of category URLs in the default language, where it differs. */
      defaultCategory: urlPattern.optional(),
    })
    .prefault({}),
  tls: z
    .strictObject({
      /** PEM file of a certificate authority to trust beside the system's. */
      ca: z.string().optional(),
    })
    .prefault({}),
  source: sourceSettings.prefault({}),
  content: contentSettings.prefault({}),
  media: mediaSettings.prefault({}),
  site: siteSettings.prefault({}),
  redirects: redirectsSettings.prefault({}),
  feed: feedSettings.prefault({}),
  headers: headersSettings.prefault({}),
  output: outputSettings.prefault({}),
});

/** Configuration as written by a user: everything optional. */
export type UserConfig = z.input<typeof configSchema>;

/** Configuration with every default filled in. */
export type ResolvedConfig = z.output<typeof configSchema>;

/** Whether every path made from the pattern is a file below the output folder. */
function isUrlPattern(pattern: string): boolean {
  const path = pattern.replaceAll(/\{(?:lang|id|slug)\}/g, 'x').replace(/\/$/, '');
  const segments = path.split('/');
  return !/[\p{C}\s\\?#%:*"<>|{}]/u.test(path) && segments.every((segment) => !/^\.{0,2}$/.test(segment));
}

/**
 * Gives a configuration file written in TypeScript or JavaScript its types; returns what it is given.
 * @example export default defineConfig({ baseUrl: 'https://kb.example.com/v1', site: { title: 'Help' } })
 */
export function defineConfig(config: UserConfig): UserConfig {
  return config;
}
