import type { UserConfig } from '../../../src/core/config/schema.ts';
import type { Category, ExclusionReason } from '../../../src/core/model.ts';
import type { WrittenArticle } from '../../support/offline-project.ts';

/** One language of an article; its body has parts that are edited separately. */
export interface DraftText {
  readonly title: string;
  readonly slug: string | null;
  readonly description: string | null;
  readonly headings: readonly string[];
  readonly sentences: readonly string[];
  /** Targets of links: articles, with or without a heading, e.g. `bbbbbbbbbb#first-steps`. */
  readonly links: readonly string[];
  /** Shades of images embedded in the body: images with the same shade are the same file. */
  readonly images: readonly number[];
  /** URLs of images and downloads on the help centre's server. */
  readonly copied: readonly string[];
  /** Raw markup, well-formed or not. */
  readonly markup: string;
  /** Value of `is_live` of a translation. */
  readonly isLive: boolean;
}

export interface Draft extends Required<Omit<WrittenArticle, 'texts'>> {
  /** By language; at least one is live. */
  readonly texts: Readonly<Record<string, DraftText>>;
}

/** All inputs of an output. */
export interface World {
  /** By id. */
  readonly articles: Readonly<Record<string, Draft>>;
  /** Articles that are not public, by id. */
  readonly hidden: Readonly<Record<string, { readonly reason: ExclusionReason; readonly draft: Draft }>>;
  /** Parents before children. */
  readonly categories: readonly Category[];
  /** Views by language, most viewed first. */
  readonly popular: Readonly<
    Record<string, readonly { readonly articleId: string; readonly count: number }[]>
  >;
  /** Shade of each file on the help centre's server, by URL; for other URLs it returns 404. */
  readonly files: Readonly<Record<string, number>>;
  readonly config: Partial<UserConfig>;
  /** Files of the template folder by path. */
  readonly templates: Readonly<Record<string, string>>;
}

const ids = [
  'aaaaaaaaaa',
  'bbbbbbbbbb',
  'dddddddddd',
  'eeeeeeeeee',
  'ffffffffff',
  'jjjjjjjjjj',
  'kkkkkkkkkk',
  'llllllllll',
] as const;

const hiddenId = 'iiiiiiiiii';

/** Ids of articles that may be added one by one. */
export const spareIds = ['gggggggggg', 'hhhhhhhhhh'] as const;

export const imageAddresses = ['/up/a.png', '/up/b.png', '/up/c%20d.png'] as const;
export const downloadAddresses = ['/up/prices.pdf', '/up/tools.zip'] as const;

/** Titles without common words, so that most articles are related only by links. */
const titles = [
  ['Parcel', 'Paket'],
  ['Invoice', 'Rechnung'],
  ['Refund', 'Gutschrift'],
  ['Printer', 'Drucker'],
  ['Holiday', 'Urlaub'],
  ['Password', 'Kennwort'],
  ['Warranty', 'Garantie'],
  ['Weather', 'Wetter'],
  ['Bicycle', 'Fahrrad'],
] as const;

export const firstWorld: World = {
  articles: Object.fromEntries(ids.map((id, at) => [id, withCopies(createDraft(id, at), at)])),
  hidden: { [hiddenId]: { reason: 'draft', draft: createDraft(hiddenId, ids.length) } },
  categories: [
    createCategory('cccccccccc', null, 'Start'),
    createCategory('mmmmmmmmmm', 'cccccccccc', 'More'),
  ],
  // More than the six that a home page shows.
  popular: { en: ids.map((articleId, at) => ({ articleId, count: 80 - 10 * at })) },
  files: { '/up/a.png': 1, '/up/b.png': 2, '/up/prices.pdf': 3 },
  config: {},
  templates: {},
};

/** An article in two languages that links to two others. */
export function createDraft(id: string, at: number): Draft {
  const [english, german] = titles[at % titles.length] ?? titles[0];
  const links = [`${ids[(at + 1) % ids.length]}`, `${ids[(at + 2) % ids.length]}#first-steps`];
  return {
    id,
    categoryId: [null, 'cccccccccc', 'mmmmmmmmmm'][at % 3] ?? null,
    tags: at % 4 === 0 ? ['red'] : [],
    updatedAt: `2026-01-0${1 + (at % 9)}T00:00:00.000Z`,
    isFeatured: at === 0,
    sortOrder: null,
    showToc: true,
    texts: { en: createText(english, links), de: createText(german, links) },
  };
}

export function createText(title: string, links: readonly string[] = []): DraftText {
  return {
    title,
    slug: null,
    description: null,
    headings: ['First steps', 'What it costs'],
    sentences: [`${title} is sent on the same day.`],
    links,
    images: [],
    copied: [],
    markup: '',
    isLive: true,
  };
}

export function createCategory(id: string, parentId: string | null, title: string): Category {
  return {
    id,
    parentId,
    icon: null,
    updatedAt: null,
    translations: [{ language: 'en', title, slug: null, description: null }],
  };
}

/** Articles of one word each, in addition to those of {@link firstWorld}. */
export function createFillers(from: number, count: number): readonly Draft[] {
  return Array.from({ length: count }, (_, index) => {
    const at = from + index;
    const draft = createDraft(`x${String(at).padStart(9, '0')}`, at);
    return { ...draft, texts: { en: createText(`Leaflet ${at}`), de: createText(`Blatt ${at}`) } };
  });
}

/** Public languages of a draft, the default language first, then by tag. */
export function liveLanguages({ texts }: Pick<Draft, 'texts'>): readonly string[] {
  const live = Object.keys(texts).filter((language) => texts[language]?.isLive);
  return live.sort((a, b) => (a === 'en' ? -1 : b === 'en' ? 1 : a < b ? -1 : 1));
}

function withCopies(draft: Draft, at: number): Draft {
  const copied = [['/up/a.png'], ['/up/b.png', '/up/prices.pdf'], ['/up/a.png', '/up/c%20d.png']][at];
  if (copied === undefined) return draft;
  const texts = Object.entries(draft.texts).map(([language, text]) => [language, { ...text, copied }]);
  return { ...draft, texts: Object.fromEntries(texts) };
}
