import { z } from '../schema.ts';
import { siteSettings } from './site-settings.ts';
import { folderPath, isLocal, languageTag, sourceSettings } from './source-settings.ts';

/** Whether a text has no `${NAME}` or `$NAME`: it would be published, or a folder of this name made. */
const isWrittenOut = (text: string): boolean => !/\$(?:\{|[A-Za-z_])/.test(text);
const writtenOut = { error: 'must not have $NAME, which only a shell replaces', abort: true };

const webAddress = (example: string) =>
  z
    .url({ protocol: /^https?$/, error: `must be a URL such as ${example}`, abort: true })
    .refine(isWrittenOut, writtenOut);

/** What the chatbot feed holds; `docs/chatbot-feed.md` describes its files. */
export const feedSettings = z.strictObject({
  /** One sentence about your help centre, with which `llms.txt` begins. */
  summary: z.string().min(1).optional(),
  /** Fingerprints, from the error message, of examples in your articles that look like credentials and are none. */
  allowSecrets: z.array(z.string()).default([]),
});

/** Settings of the feed with every default filled in. */
export type FeedSettings = z.output<typeof feedSettings>;

/** Hosts that redirects and headers can be written for. */
const redirectFormat = z.enum(['netlify', 'cloudflare', 'vercel', 'nginx', 'html', 'json']);

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
  /** Web hosts to write redirects and headers for: `netlify`, `cloudflare`, `vercel`, `nginx`, `html` (hosts without redirects), `json` (all others). */
  formats: z.array(redirectFormat).default(['netlify']),
  /** Products from which you moved the articles, and whose URLs lead to the new pages: `hosted` and `zendesk`. Default: that of the source; `[]`: none. */
  movedFrom: z.array(z.enum(['hosted', 'zendesk'])).optional(),
  /** Redirects from other addresses that you have published, e.g. `[{ "from": "/faq", "to": "category:4fq8d7s2ka" }]`. */
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

const frameHost = z.string().regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/, {
  error:
    'must be a host name in lower case such as player.vimeo.com, without https://, port and path; its subdomains are included',
});

/** How author HTML is treated; `docs/content.md` lists what is published. */
export const contentSettings = z.strictObject({
  /** Hosts, with their subdomains, whose frames articles may show: add those of your videos and forms. Other frames become links. */
  iframeHosts: z
    .array(frameHost)
    .default(['youtube.com', 'youtube-nocookie.com', 'player.vimeo.com', 'loom.com', 'fast.wistia.net']),
  /** Class names that authors may use because your `custom.css` styles them. Lectern removes others. */
  classes: z.array(z.string()).default([]),
  /** Class names that mark a callout in your editor, with its kind, e.g. `{ "kb-alert-*": "warning" }`. A `*` stands for any ending. */
  callouts: z.record(z.string(), z.enum(['note', 'tip', 'important', 'warning', 'caution'])).default({}),
  /** Addresses that your help centre has or had elsewhere, e.g. `https://old.example.com`. Links to them become links between articles. */
  hosts: z.array(webAddress('https://old.example.com')).default([]),
});

const host = z
  .string()
  .regex(/^[a-z0-9.-]+(?::\d+)?$/, { error: 'must be a host name in lower case such as cdn.example.com' });

/** Excludes types that browsers show instead of saving: such files could run scripts on the origin of the help site. */
const fileExtension = z
  .string()
  .regex(/^[a-z0-9]{1,8}$/, { error: 'must be an extension without a dot, such as json' })
  .refine((name) => !/^(?:[xs]?html?|xht|xml|xsl|svgz?|m?js|css|php|htaccess)$/.test(name), {
    error: 'files of this kind can run scripts and are not copied',
  });

/** Which images and files are copied to the help site; `docs/content.md` explains how. */
const mediaSettings = z.strictObject({
  /** `rehost` copies images and files into the site. `inline` is for files that stay where they are: it copies only images that are part of the text (`data:` URLs). */
  mode: z.enum(['rehost', 'inline']).default('rehost'),
  /** More hosts to copy images and files from, such as your CDN: `cdn.example.com`. */
  hosts: z.array(host).default([]),
  /** Hosts in your private network to copy files from. Others are refused. */
  privateHosts: z.array(host).default([]),
  /** More endings of linked files to copy, such as `["json", "yaml"]`, if you publish schemas or examples. */
  attachments: z.array(fileExtension).default([]),
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
  /** Additions to the Content-Security-Policy, for scripts and images of other hosts, e.g. `{ "script-src": ["https://plausible.io"] }`. */
  csp: z.partialRecord(directive, z.array(source)).default({}),
});

/** Sources by directive, added to those the site needs itself. */
export type CspAdditions = z.output<typeof headersSettings>['csp'];

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
    /** URL of the API that has your articles, e.g. `https://kb.example.com/v1`. */
    baseUrl: webAddress('https://kb.example.com/v1').optional(),
    /** URL of the site, e.g. `https://help.example.com/docs`. Sitemaps and the feed need it: set it before you publish. */
    siteUrl: webAddress('https://help.example.com')
      .refine((url) => !/[?#]/.test(url), {
        error: 'must be a URL such as https://help.example.com, without ? and #',
      })
      // Links would begin with two slashes, and lead to another host.
      .overwrite((url) => url.replace(/(?<!:)\/{2,}/g, '/'))
      .optional(),
    /** Asks search engines not to list the site, for a preview or staging. */
    noindex: z.boolean().default(false),
    /** Folder for the site and the feed, if your host expects another name. */
    out: folderPath.refine(isWrittenOut, writtenOut).default('dist'),
    /** The language you write in first, if it is not English. All other languages are translations of it. */
    defaultLanguage: languageTag.default('en'),
    /** Languages to publish, in the order of the language menu, while others are not ready. Default: all. */
    languages: z
      .array(languageTag)
      .min(1)
      .overwrite((tags) => [...new Set(tags)])
      .optional(),
    /** Folder in which Lectern remembers the last run, if your CI keeps another one between runs. */
    cache: folderPath.refine(isWrittenOut, writtenOut).default('.lectern'),
    urls: z
      .strictObject({
        /** URLs of articles, for a help centre that keeps the addresses it has. They are made from `{lang}`, `{id}`, `{slug}` and, for a folder, `{path}`. Default: `{path}` for a folder, else `{lang}/article/{id}-{slug}`. */
        article: urlPattern.optional(),
        /** URLs of categories, for the same reason. Default: `{path}` for a folder, else `{lang}/category/{id}-{slug}`. */
        category: urlPattern.optional(),
      })
      .prefault({}),
    tls: z
      .strictObject({
        /** PEM file of your company's certificate authority, if the API has a certificate of it. */
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
  })
  .superRefine(({ urls, source }, context) => {
    if (isLocal(source)) return;
    for (const [name, pattern] of Object.entries(urls)) {
      if (pattern?.includes('{path}') !== true) continue;
      const message =
        'must be a pattern of {lang}, {id} and {slug}, because only pages of a folder have a {path}';
      context.addIssue({ code: 'custom', path: ['urls', name], message });
    }
  });

/** Configuration as written by a user: everything optional. */
export type UserConfig = z.input<typeof configSchema>;

/** Configuration with every default filled in. */
export type ResolvedConfig = z.output<typeof configSchema>;

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
