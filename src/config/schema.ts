import { isLanguageTag } from '../foundation/language.ts';
import { z } from '../foundation/schema.ts';
import { siteSettings } from './site-settings.ts';
import { sourceSettings } from './source-settings.ts';

/** What the chatbot feed holds; `docs/feed.md` describes its files. */
export const feedSettings = z.strictObject({
  /** One-line description of the help centre, for `llms.txt`. */
  summary: z.string().min(1).optional(),
  /** Sizes of chunks, in tokens. A change cuts the affected documents anew. */
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
  /** Characters of one `llms.txt`; longer ones are split by top-level category. */
  llmsChars: z.int().min(1000).default(50_000),
  /** A language whose `llms-full.txt` would have more characters has none: most assistants do not read more of a file. */
  llmsFullChars: z.int().min(1000).default(100_000),
  /** Largest file of documents or chunks, in MB; a larger one is divided. */
  maxFileMb: z.number().positive().default(32),
  /** Runs whose changes are published. Together they are never larger than the documents, whatever this says. */
  keepRuns: z.int().min(1).default(30),
  /** Hours for which a signature is valid. */
  signatureHours: z.int().min(1).default(168),
  /** Fingerprints (from the error) of strings that are not credentials. */
  allowSecrets: z.array(z.string()).default([]),
});

/** Settings of the feed with every default filled in. */
export type FeedSettings = z.output<typeof feedSettings>;

/** Hosts that redirects and headers can be written for. */
const redirectFormat = z.enum(['netlify', 'cloudflare', 'vercel', 'nginx', 'apache', 'caddy', 's3', 'html']);

export type RedirectFormat = z.output<typeof redirectFormat>;

const configuredRedirect = z.strictObject({
  /** Path to redirect, below the path of the site, e.g. `/faq`. */
  from: z
    .string()
    .regex(/^\/[^\s?#*]*$/, { error: 'must be a path such as /faq, without query and without *' })
    .refine(isPlainPath, {
      error: 'must be a path such as /faq, without "..", "//" and control characters',
    }),
  /** A path of the site, a web URL, or a record: `article:4fq8d7s2ka`, `category:4fq8d7s2ka`. */
  to: z.string().regex(/^(?:\/[^\s]*|https?:\/\/\S+|article:[A-Za-z0-9]{10}|category:[A-Za-z0-9_-]{1,64})$/, {
    error: 'must be a path, a web URL, or article:<id> or category:<id>',
  }),
  /** `permanent` (301) or `temporary` (302). */
  kind: z.enum(['permanent', 'temporary']).default('permanent'),
});

/** How legacy URLs are redirected; `docs/redirects.md` describes every host. */
export const redirectsSettings = z.strictObject({
  /** Hosts to write redirects and headers for. */
  formats: z.array(redirectFormat).default(['netlify']),
  /** Redirects legacy URLs of the hosted help centre. */
  oldAddresses: z.boolean().default(true),
  /** Redirects of your own, e.g. `[{ "from": "/faq", "to": "category:4fq8d7s2ka" }]`. */
  rules: z.array(configuredRedirect).default([]),
});

export type RedirectsSettings = z.output<typeof redirectsSettings>;

/** Whether a path can be the path of a file without leaving the folder. */
function isPlainPath(path: string): boolean {
  try {
    const [, ...segments] = decodeURIComponent(path).replace(/\/$/, '').split('/');
    return segments.every((segment, index) =>
      segment === '' ? index === 0 && segments.length === 1 : !/^\.{1,2}$|[\p{Cc}\\]/u.test(segment),
    );
  } catch {
    return false;
  }
}

/** How author HTML is treated; `docs/content.md` lists what is published. */
export const contentSettings = z.strictObject({
  /** Hosts of allowed iframes, with their subdomains. */
  iframeHosts: z
    .array(z.string())
    .default(['youtube.com', 'youtube-nocookie.com', 'player.vimeo.com', 'loom.com', 'fast.wistia.net']),
  /** Allowed class names. */
  classes: z.array(z.string()).default([]),
  /** Class name (or prefix with `*`) → callout kind. */
  callouts: z.record(z.string(), z.enum(['note', 'tip', 'important', 'warning', 'caution'])).default({}),
  /** Other addresses of your help centre, such as its old one: `https://old.example.com`. Links to them become links between articles. */
  hosts: z.array(z.string()).default([]),
});

const host = z
  .string()
  .regex(/^[a-z0-9.-]+(?::\d+)?$/, { error: 'must be a host name in lower case such as cdn.example.com' });

/** Excludes types that browsers show instead of saving: such files could run scripts on the origin of the help site. */
const fileExtension = z
  .string()
  .regex(/^[a-z0-9]{1,8}$/, { error: 'must be an extension without a dot, such as pdf' })
  .refine((name) => !/^(?:[xs]?html?|xht|xml|xsl|svgz?|m?js|css|php|htaccess)$/.test(name), {
    error: 'files of this kind can run scripts and are not re-hosted',
  });

/** Which images and files are copied to the help site; `docs/media.md` explains how. */
const mediaSettings = z.strictObject({
  /** `rehost` copies images and files; `inline` copies only `data:` images. */
  mode: z.enum(['rehost', 'inline']).default('rehost'),
  /** More hosts to copy from, e.g. `cdn.example.com` or `cdn.example.com:8443`. */
  hosts: z.array(host).default([]),
  /** Hosts in a private network, e.g. `files.intranet.example`. */
  privateHosts: z.array(host).default([]),
  /** Extensions of linked files to copy. */
  attachments: z
    .array(fileExtension)
    .default(
      'pdf zip gz 7z doc docx xls xlsx ppt pptx odt ods odp rtf csv txt epub ics mp4 mp3 dmg exe msi apk'.split(
        ' ',
      ),
    ),
  /** Largest file to copy, in bytes. */
  maxFileBytes: z.int().positive().default(25_000_000),
  /** Largest number of images and files to copy. */
  maxFiles: z.int().positive().default(20_000),
  /** Concurrent downloads. */
  concurrency: z.int().min(1).max(32).default(8),
  /** Timeout for each step of a download. */
  timeoutMs: z.int().positive().default(20_000),
});

/** Directives that may get more sources; the others (`default-src`, `base-uri`) stay as they are. */
const directive = z.enum([
  'script-src',
  'style-src',
  'img-src',
  'media-src',
  'font-src',
  'connect-src',
  'worker-src',
  'manifest-src',
  'frame-src',
  'form-action',
  'frame-ancestors',
]);

/**
 * A source of CSP Level 3. Sources that would allow any script (`'unsafe-inline'`, `'unsafe-eval'`, `*`, whole schemes) are rejected; plain
 * http is allowed for localhost only.
 */
const source = z
  .string()
  .regex(
    /^(?:(?:https|wss):\/\/(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::(?:\d+|\*))?(?:\/[^\s;,'"]*)?|(?:http|ws):\/\/(?:localhost|127\.0\.0\.1)(?::(?:\d+|\*))?|'self'|'sha(?:256|384|512)-[A-Za-z0-9+/=]+'|data:|blob:)$/,
    {
      error:
        "must be a source such as https://plausible.io, https://*.example.com, wss://chat.example.com, 'self' or a hash",
    },
  );

/** Headers of every page; `docs/site.md` shows how to add scripts of other hosts. */
const headersSettings = z.strictObject({
  /** Additions to the Content-Security-Policy, e.g. `{ "script-src": ["https://plausible.io"] }`. */
  csp: z.partialRecord(directive, z.array(source)).default({}),
});

/** Sources by directive, added to those the site needs itself. */
export type CspAdditions = z.output<typeof headersSettings>['csp'];

const keptPath = z
  .string()
  .regex(/^(?:(?!\.{1,2}(?:\/|$))[^/\\*?]+\/)*(?!\.{1,2}$)(?:[^/\\*?]+|\*\*)$/, {
    error: 'expected a path such as CNAME, or a folder such as .well-known/**',
  })
  .refine((path) => path !== '**', {
    error: 'expected a path such as CNAME, or a folder such as .well-known/**',
  });

const webAddress = (example: string) =>
  z.url({ protocol: /^https?$/, error: `must be a URL such as ${example}` });

/** How the files are written. */
const outputSettings = z.strictObject({
  /** Compressed copies of text files (`index.html.br`). */
  compress: z.array(z.enum(['br', 'gz'])).default([]),
  /** Your own files in the output, besides `.git`, e.g. `["CNAME", ".well-known/**"]`. */
  keep: z.array(keptPath).default([]),
  /** Webhooks that `lectern feed notify` tells of a new run of the feed; `docs/notices.md` describes the notice. */
  notify: z.array(webAddress('https://hooks.example.com/lectern')).default([]),
});

const languageTag = z
  .string()
  .refine(isLanguageTag, { error: 'must be a BCP 47 language tag such as en or pt-BR' });

const urlPattern = z
  .string()
  .regex(/\{id\}|\{slug\}|\{path\}/, { error: 'must be a pattern that names {id}, {slug} or {path}' })
  .refine(isUrlPattern, {
    error:
      'must be a relative path of plain characters such as {lang}/article/{id}-{slug}, whose only placeholders are {lang}, {id}, {slug} and at its end {path}',
  });

/** Everything `lectern.config.json` may contain. Every field has a doc comment; the larger sections have their own files. */
export const configSchema = z
  .strictObject({
    /** URL or path of this schema, for editors, e.g. `./node_modules/lectern/docs/schema/config.json`. */
    $schema: z.string().optional(),
    /** URL of the API, e.g. `https://kb.example.com/v1`. */
    baseUrl: webAddress('https://kb.example.com/v1').optional(),
    /** Public URL of the help site, e.g. `https://help.example.com/docs`. */
    siteUrl: webAddress('https://help.example.com').optional(),
    /** Folder of the published files. */
    out: z.string().default('dist'),
    /** The language you write in first. All other languages are translations of it. */
    defaultLanguage: languageTag.default('en'),
    /** Languages to publish, in the order of the language menu. Default: all. */
    languages: z.array(languageTag).min(1).optional(),
    /** Folder of snapshot and caches. */
    cache: z.string().default('.lectern'),
    urls: z
      .strictObject({
        /** Pattern of article URLs: `{lang}`, `{id}`, `{slug}`, and for a folder `{path}`, the path in its own site generator. */
        article: urlPattern.default('{lang}/article/{id}-{slug}'),
        /** Pattern of category URLs: `{lang}`, `{id}`, `{slug}`, and for a folder `{path}`. */
        category: urlPattern.default('{lang}/category/{id}-{slug}'),
        /** Pattern of article URLs in the default language, e.g. `article/{id}-{slug}`. */
        defaultArticle: urlPattern.optional(),
        /** Pattern of category URLs in the default language. */
        defaultCategory: urlPattern.optional(),
      })
      .prefault({}),
    tls: z
      .strictObject({
        /** PEM file of a certificate authority to trust. */
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
  })
  .superRefine(refusePathOfApi);

/** Configuration as written by a user: everything optional. */
export type UserConfig = z.input<typeof configSchema>;

/** Configuration with every default filled in. */
export type ResolvedConfig = z.output<typeof configSchema>;

/** Only pages of a folder have a path of their own. */
function refusePathOfApi(
  {
    urls,
    source,
  }: {
    readonly urls: Readonly<Record<string, string | undefined>>;
    readonly source: { readonly kind: string };
  },
  context: z.RefinementCtx,
): void {
  if (source.kind === 'folder') return;
  for (const [name, pattern] of Object.entries(urls)) {
    if (pattern?.includes('{path}') !== true) continue;
    const message =
      'must be a pattern of {lang}, {id} and {slug}, because only pages of a folder have a {path}';
    context.addIssue({ code: 'custom', path: ['urls', name], message });
  }
}

/** Whether every path made from the pattern is a file below the output folder. */
function isUrlPattern(pattern: string): boolean {
  const path = pattern.replaceAll(/\{(?:lang|id|slug|path)\}/g, 'x').replace(/\/$/, '');
  const segments = path.split('/');
  // What follows a path could be below a file.
  if (/\{path\}./.test(pattern.replace(/\/$/, ''))) return false;
  return !/[\p{C}\s\\?#%:*"<>|{}]/u.test(path) && segments.every((segment) => !/^\.{0,2}$/.test(segment));
}

/**
 * Gives a configuration file written in TypeScript or JavaScript its types; returns what it is given.
 * @example export default defineConfig({ baseUrl: 'https://kb.example.com/v1', site: { title: 'Help' } })
 */
export function defineConfig(config: UserConfig): UserConfig {
  return config;
}
