import { z } from '../foundation/schema.ts';

const link = z.strictObject({
  title: z.string().min(1),
  href: z.string().regex(/^(?:https?:\/\/|mailto:|\/)/, 'must start with https://, mailto: or /'),
});

const color = z
  .string()
  .regex(
    /^(?:#[0-9a-f]{3,8}|(?:rgb|hsl|oklch|oklab|lab|lch)\([\d\s.,%/a-z-]+\)|[a-z]+)$/i,
    'must be a CSS colour',
  );

const fallbackMode = z.enum(['omit', 'notice', 'redirect']);

/** How the site looks and what it offers. */
export const siteSettings = z.strictObject({
  /** Name of the help centre, shown in the header and in page titles. */
  title: z.string().min(1).default('Help centre'),
  /** `help` is calm and roomy, made for customers; `docs` is compact, with a side tree. */
  look: z.enum(['help', 'docs']).default('help'),
  /** Folder of the site's own templates, assets and locales. */
  templates: z.string().default('templates'),
  theme: z
    .strictObject({
      /** Colour of links and buttons on light ground; at least 4.5:1 against white. */
      accent: color.optional(),
      /** The same on dark ground. */
      accentDark: color.optional(),
      /** CSS font stack of all text. */
      font: z
        .string()
        .regex(/^[\w\s,'"-]+$/, 'must be a CSS font stack')
        .optional(),
      /** Roundness of corners, e.g. `8px`. */
      radius: z
        .string()
        .regex(/^\d+(?:\.\d+)?(?:px|rem|em)$/, 'must be a CSS length')
        .optional(),
    })
    .prefault({}),
  /** What a reader gets for an article that is not translated into the language being read. */
  fallback: z
    .strictObject({
      /**
       * `omit`: no page, links lead to the article in another language (marked as such);
       * `notice`: a page of this language shows the other one under a notice, unseen by search engines;
       * `redirect`: the URL redirects to the other language.
       */
      mode: fallbackMode.default('omit'),
      /** Per language: its own mode, and the languages to try first, e.g. `{ "gl": { "chain": ["pt", "es"] } }`. */
      languages: z
        .record(
          z.string(),
          z.strictObject({ mode: fallbackMode.optional(), chain: z.array(z.string()).default([]) }),
        )
        .default({}),
    })
    .prefault({}),
  /** Folder of files that are published as they are: `favicon.ico`, `CNAME`, `.well-known`, images. */
  public: z.string().default('public'),
  /** Logo shown beside the title: `/logo.svg` is a file of the public folder, `logo.svg` one of `assets/` of the templates. */
  logo: z.string().min(1).optional(),
  /** The logo on dark ground, in the same form. */
  logoDark: z.string().min(1).optional(),
  /** Links in the header, e.g. `[{ "title": "Status", "href": "https://status.example.com" }]`. */
  headerLinks: z.array(link).default([]),
  /** Links in the footer, in the same form. */
  footerLinks: z.array(link).default([]),
  /** Where readers reach people: the URL of a page, or `mailto:`. */
  contact: z
    .string()
    .regex(/^(?:https?:\/\/|mailto:|\/)/, 'must start with https://, mailto: or /')
    .optional(),
});

export type SiteSettings = z.output<typeof siteSettings>;
