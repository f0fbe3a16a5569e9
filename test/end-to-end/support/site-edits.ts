import type { UserConfig } from '../../../src/core/config/schema.ts';
import type { Edit, Edits } from './edit.ts';

/** Settings that change the output; each edit replaces the last value of one setting. */
const settings: Readonly<Record<string, readonly Partial<UserConfig>[]>> = {
  'the title or look is changed': [
    { site: { title: 'Other help' } },
    { site: { look: 'docs' } },
    { site: {} },
  ],
  'links in header and footer are changed': [
    {
      site: {
        headerLinks: [{ title: 'Status', href: '/status' }],
        footerLinks: [{ title: 'Us', href: '/us' }],
      },
    },
    { site: {} },
  ],
  'untranslated articles are shown or not': [
    { site: { fallback: { mode: 'notice' } } },
    { site: { fallback: { mode: 'redirect' } } },
    { site: {} },
  ],
  'addresses of articles are changed': [
    { urls: { article: '{lang}/a/{id}' } },
    { urls: { article: '{lang}/{slug}-{id}', category: '{lang}/topic/{id}' } },
    { urls: {} },
  ],
  'the address of the site is changed': [
    { siteUrl: 'https://other.example.com/docs' },
    { siteUrl: 'https://help.example.com' },
  ],
  'languages are removed': [
    { languages: ['en'] },
    { languages: ['de', 'en'] },
    { languages: ['en', 'de', 'ja'] },
  ],
  'a class of the authors is kept': [{ content: { classes: ['wide'] } }, { content: {} }],
  'redirects are written for other hosts': [
    { redirects: { formats: ['nginx', 'html'] } },
    { redirects: { rules: [{ from: '/faq', to: 'article:aaaaaaaaaa' }] } },
    { redirects: { movedFrom: [] } },
    { redirects: {} },
  ],
  'images are only taken from texts': [{ media: { mode: 'inline' } }, { media: {} }],
};

/** Files of the user's templates; each is written, changed and removed in turn. */
const templates: Readonly<Record<string, readonly [path: string, text: string]>> = {
  'a template is written': ['hooks/article-after.eta', '<p>Was this helpful?</p>'],
  'a template of one language is written': ['de/hooks/article-after.eta', '<p>War das hilfreich?</p>'],
  'a template of every page is written': ['hooks/footer-end.eta', '<p>Pebblepost</p>'],
  'an interface text is written': ['locales/de.json', '{ "markdown": "Als Text" }'],
  'an asset is written': ['assets/own.css', 'p { margin: 0 }'],
};

/** All edits of a site besides its articles, by description. */
export const siteEdits: Edits = {
  ...Object.fromEntries(
    Object.entries(settings).map(([what, values]): [string, Edit] => [
      what,
      (world, pick) => ({ ...world, config: { ...world.config, ...values[pick % values.length] } }),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(templates).map(([what, [path, text]]): [string, Edit] => [
      what,
      (world, pick) => ({
        ...world,
        templates: { ...world.templates, [path]: `${text}${' '.repeat(pick % 3)}` },
      }),
    ]),
  ),
  'a template is taken away': (world, pick) => {
    const paths = Object.keys(world.templates);
    const gone = paths[pick % Math.max(1, paths.length)];
    const left = Object.entries(world.templates).filter(([path]) => path !== gone);
    return { ...world, templates: Object.fromEntries(left) };
  },
};
