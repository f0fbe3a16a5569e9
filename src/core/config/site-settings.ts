import { parseUrl } from '../addresses.ts';
import { isOpaqueColor } from '../colors.ts';
import { isLanguageTag } from '../language.ts';
import { z } from '../schema.ts';

const localText = perLanguage(z.string().min(1), 'a string');

const localAddress = perLanguage(
  z
    .string()
    .regex(/^(?:https?:\/\/|mailto:|\/)/, 'must start with https://, mailto: or /')
    .refine(isUrl, 'must be a valid URL'),
  'a URL or path that starts with https://, mailto: or /',
);

/** A URL that receives what readers send. */
const endpoint = z
  .string()
  .regex(/^(?:https:\/\/|http:\/\/(?:localhost|127\.0\.0\.1)\b|\/)/, 'must start with https:// or /')
  .refine(isUrl, 'must be a valid URL');

const link = z.strictObject({ title: localText, href: localAddress });

const colorError =
  'must be an opaque CSS colour such as #0b6e4f, teal or oklch(50% 0.1 160), or { "light": "…", "dark": "…" }';

const color = z.string().refine(isOpaqueColor, { error: colorError });

const fallbackMode = z.enum(['omit', 'notice', 'redirect']);

/** How the site looks and what it offers. */
export const siteSettings = z.strictObject({
  /** Name of the help centre. Default: the title of the home page of a folder or a built site. Every text and link may also be one per language: `{ "en": "Help", "de": "Hilfe" }`. */
  title: localText.optional(),
  /** `help` is spacious, for customers with a question; `docs` is compact, with a side tree, for readers of many pages. */
  look: z.enum(['help', 'docs']).default('help'),
  theme: z
    .strictObject({
      /** Colours of the whole site, the nearest to those of your product: `indigo`, `forest`, `ember` or `ink`. */
      palette: z.enum(['indigo', 'forest', 'ember', 'ink']).default('indigo'),
      /** Colour of your brand, for links and buttons. In dark mode, Lectern makes it lighter; or name two: `{ "light": "#0b6e4f", "dark": "#7fd8b4" }`. */
      accent: z
        .union([color, z.strictObject({ light: color, dark: color })], { error: colorError })
        .optional(),
    })
    .prefault({}),
  /** For articles that are not translated. */
  fallback: z
    .strictObject({
      /** What readers get for an article that is not translated: no page (`omit`), a page in another language below a notice (`notice`), or a redirect to it (`redirect`). */
      mode: fallbackMode.default('omit'),
      /** Exceptions for languages: another mode, or the languages to try first, e.g. `{ "gl": { "chain": ["pt", "es"] } }`. */
      languages: z
        .record(
          z.string(),
          z.strictObject({ mode: fallbackMode.optional(), chain: z.array(z.string()).default([]) }),
        )
        .default({}),
    })
    .prefault({}),
  /** Folder with files that are published unchanged, if `public/` belongs to another program. */
  public: z.string().default('public'),
  /** Logo in the header: `/logo.svg` in `public/`, or `logo.svg` in `templates/assets/`. For another one in dark mode, `{ "light": "/logo.svg", "dark": "/night.svg" }`. */
  logo: z
    .union([z.string().min(1), z.strictObject({ light: z.string().min(1), dark: z.string().min(1) })], {
      error: 'must be a file such as /logo.svg, or { "light": "/logo.svg", "dark": "/night.svg" }',
    })
    .optional(),
  /** Links in the header, to your product or its status page, e.g. `[{ "title": "Status", "href": "https://status.example.com" }]`. */
  headerLinks: z.array(link).default([]),
  /** Links in the footer, such as an imprint and a privacy policy. */
  footerLinks: z.array(link).default([]),
  /** Where readers reach you: a URL, a `mailto:` address, or a form on the site whose URL receives it: `{ "form": "https://desk.example.com/requests" }`. */
  contact: z
    .union([z.strictObject({ form: endpoint }), localAddress], {
      error:
        'must be a URL or path that starts with https://, mailto: or /, or one per language such as { "en": "…", "de": "…" }, or { "form": "https://…" }',
    })
    .optional(),
  /** URL that receives answers to "Was this article helpful?", for writers who want to know. Without it, pages do not ask. */
  feedback: endpoint.optional(),
  /** Answers to questions in the search, with citations. */
  answers: z
    .strictObject({
      /** URL that answers questions from the search, e.g. `https://ask.example.com/answers`. See docs/answers.md. */
      url: endpoint,
    })
    .optional(),
  /** The help centre as a widget in pages of your product. */
  widget: z
    .strictObject({
      /** Origins of your product, which may show the help centre in a panel, e.g. `["https://app.example.com"]`. */
      origins: z
        .array(
          z
            .string()
            .regex(
              /^(?:https:\/\/(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)+|http:\/\/(?:localhost|127\.0\.0\.1))(?::\d+)?$/,
              'must be an origin such as https://app.example.com or https://*.example.com, without a path',
            ),
        )
        .min(1),
    })
    .optional(),
  /** Service that counts views for lists of popular articles, with a key that only counts, e.g. `https://kb.example.com/v1?key=lc_…`. */
  statistics: z
    .string()
    .regex(
      /^(?:https:\/\/|http:\/\/(?:localhost|127\.0\.0\.1)\b)[^?#\s"'{}]+\?key=lc_[A-Za-z0-9]{10}_[\w-]{43}$/,
      'must be the base URL of a service with a key of `lectern service keys create --access count`, such as https://kb.example.com/v1?key=lc_…',
    )
    .optional(),
  /** URL at which contributors edit an article (`Edit this page`), with `{id}`, `{lang}`, `{path}` or, for a folder, `{file}`. */
  editUrl: z
    .string()
    .regex(/^(?:https?:\/\/|mailto:)/, 'must start with https:// or mailto:')
    .refine(
      (pattern) =>
        /\{(?:id|path|file)\}/.test(pattern) && !/\{(?!(?:id|lang|path|file)\})\w+\}/.test(pattern),
      {
        error:
          'must be a pattern that names {id}, {path} or {file}, and no other placeholder but {lang}, such as https://github.com/acme/help/edit/main/{id}/{lang}.md',
      },
    )
    .optional(),
  /** Picture beside links that people share, e.g. `/share.png` with 1200 × 630 pixels. */
  ogImage: perLanguage(
    z
      .string()
      .regex(/^(?:\/|https:\/\/)/, 'must be a file of the public folder such as /share.png')
      .refine(isUrl, 'must be a valid URL'),
    'a file of the public folder such as /share.png',
  ).optional(),
  /** Words of your readers and your articles that mean the same in a search, e.g. `[["log in", "sign in", "login"]]`. */
  synonyms: z.array(z.array(z.string().min(1)).min(2)).default([]),
  /** News for all readers: the text of a bar above every page, or a link in it: `{ "title": "Exports are slow", "href": "https://status.example.com" }`. */
  announcement: z
    .union([link, localText], { error: 'must be a text, one per language, or { "title": "…", "href": "…" }' })
    .optional(),
});

/** Whether a URL or path can be parsed: some that begin as one cannot, such as `https://`. */
function isUrl(text: string): boolean {
  return parseUrl(text, 'https://site.invalid') !== null;
}

type LocalText = z.output<typeof localText>;

export type SiteSettings = z.output<typeof siteSettings>;

/** The text of the bar above every page, and where it leads; `null`: there is no bar. */
export function announcementOf({ announcement }: SiteSettings): {
  readonly text: LocalText;
  readonly href?: LocalText;
} | null {
  if (announcement === undefined) return null;
  // A language tag has no such value.
  const isLink = typeof announcement === 'object' && typeof announcement.href !== 'undefined';
  if (!isLink) return { text: announcement as LocalText };
  const { title, href } = announcement as z.output<typeof link>;
  return { text: title, href };
}

/** The URL that receives the form of the contact page; absent: there is no such page. */
export function contactFormOf({ contact }: Pick<SiteSettings, 'contact'>): string | undefined {
  return typeof contact === 'object' && 'form' in contact ? contact.form : undefined;
}

/**
 * A text for all languages, or an object with one text per language tag.
 * @param what the texts must be, for messages: `a text`, `a URL or path that starts with https://, mailto: or /`
 */
function perLanguage(text: z.ZodString, what: string) {
  return z.union([text, z.record(z.string().refine(isLanguageTag), text)], {
    error: `must be ${what}, or one per language such as { "en": "…", "de": "…" }`,
  });
}
