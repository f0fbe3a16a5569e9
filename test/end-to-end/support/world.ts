import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { UserConfig } from '../../../src/config/schema.ts';
import type { Category, ExclusionReason, TopArticle } from '../../../src/model.ts';
import { dataAddress, png } from '../../media/images.ts';
import type { OfflineProject, WrittenArticle } from '../../support/offline-project.ts';

/** One language of an article, its body in parts that can be edited by themselves. */
export interface DraftText {
  readonly title: string;
  readonly slug: string | null;
  readonly description: string | null;
  readonly headings: readonly string[];
  readonly sentences: readonly string[];
  /** Articles, with or without a part, e.g. `bbbbbbbbbb#first-steps`. */
  readonly links: readonly string[];
  /** Shades: images of one shade are the same file. */
  readonly images: readonly number[];
  /** Markup as it is, well-formed or not. */
  readonly markup: string;
}

export interface Draft extends Required<Omit<WrittenArticle, 'texts'>> {
  /** By language; at least one. */
  readonly texts: Readonly<Record<string, DraftText>>;
}

/** Everything an output is made of. */
export interface World {
  /** By id. */
  readonly articles: Readonly<Record<string, Draft>>;
  /** Articles that exist and are not public, by id. */
  readonly hidden: Readonly<Record<string, { readonly reason: ExclusionReason; readonly draft: Draft }>>;
  /** Parents before children. */
  readonly categories: readonly Category[];
  readonly popular: Readonly<Record<string, readonly TopArticle[]>>;
  readonly config: Partial<UserConfig>;
  /** Files of the template folder by path. */
  readonly templates: Readonly<Record<string, string>>;
}

export const ids = [
  'aaaaaaaaaa',
  'bbbbbbbbbb',
  'dddddddddd',
  'eeeeeeeeee',
  'ffffffffff',
  'iiiiiiiiii',
] as const;

/** Ids of articles that may be added. */
export const spareIds = ['gggggggggg', 'hhhhhhhhhh'] as const;

/** Titles without a common word: most articles have nothing to do with most others, but for the links between them. */
const titles = [
  ['Parcel', 'Paket'],
  ['Invoice', 'Rechnung'],
  ['Refund', 'Gutschrift'],
  ['Printer', 'Drucker'],
  ['Holiday', 'Urlaub'],
  ['Password', 'Kennwort'],
] as const;

export const firstWorld: World = {
  articles: Object.fromEntries(ids.slice(0, 5).map((id, at) => [id, createDraft(id, at)])),
  hidden: { iiiiiiiiii: { reason: 'draft', draft: createDraft('iiiiiiiiii', 5) } },
  categories: [
    createCategory('cccccccccc', null, 'Start'),
    createCategory('mmmmmmmmmm', 'cccccccccc', 'More'),
  ],
  popular: { en: [{ articleId: 'bbbbbbbbbb', count: 5 }] },
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
    updatedAt: `2026-01-0${at + 1}T00:00:00.000Z`,
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
    markup: '',
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

/** Writes snapshot and templates of a world into a project. */
export async function writeWorld(project: OfflineProject, world: World): Promise<void> {
  await project.write(Object.values(world.articles).map(toWritten), world.categories, {
    excluded: new Map(Object.entries(world.hidden).map(([id, { reason }]) => [id, reason])),
    topArticles: new Map(Object.entries(world.popular)),
  });
  await rm(join(project.folder, 'templates'), { recursive: true, force: true });
  for (const [name, text] of Object.entries(world.templates)) {
    const file = join(project.folder, 'templates', name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

function toWritten({ texts, ...article }: Draft): WrittenArticle {
  const languages = Object.keys(texts).sort((a, b) => (a === 'en' ? -1 : b === 'en' ? 1 : a < b ? -1 : 1));
  return {
    ...article,
    texts: Object.fromEntries(
      languages.map((language) => {
        const text = texts[language] as DraftText;
        const { title, slug, description } = text;
        return [language, { title, slug, description, body: composeBody(text) }];
      }),
    ),
  };
}

function composeBody({ headings, sentences, links, images, markup }: DraftText): string {
  const shown = images.map((shade) => `<img alt="A chart" src="${dataAddress(png(64, 48, shade))}">`);
  return [
    `<p class="wide">${sentences.join(' ')}</p>`,
    ...headings.map((heading, at) => `<h2>${heading}</h2><p>${heading}, told in part ${at}.</p>`),
    `<p>${links.map((link) => `<a href="/article/${link}">${link}</a>`).join(' ')}</p>`,
    ...shown,
    markup,
  ].join('\n');
}
