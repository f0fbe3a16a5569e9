import { createHash, type Hash } from 'node:crypto';
import { once } from '../core/concurrency.ts';
import type { Article, ArticleTranslation, LanguageTag } from '../core/model.ts';
import type { SharedTexts } from '../feed/records/document-meta.ts';
import type { ArticlePage, PageAddress, Plan } from '../site/plan/plan.ts';
import type { Source } from '../source/source.ts';

/** Hashes of what pages and records may show of other articles. Plain data. */
export interface SharedMetadata {
  /** All metadata except bodies and edit dates, and which articles are viewed most. */
  readonly all: string;
  /** What does not depend on the language of a page: all but titles and descriptions of articles, and texts that many bodies share. */
  readonly places: string;
  /** What the pages of a language show: that, and titles and descriptions; of an article that it does not have, those in all languages. */
  readonly languages: Readonly<Record<LanguageTag, string>>;
}

/**
 * Whether an article has a date counts, because a language with dates has a list of new articles.
 * @param blocks texts of blocks that many bodies share, by language
 * @param boilerplate those that most bodies share
 */
export function hashSharedMetadata(
  source: Source,
  { blocks, boilerplate }: SharedTexts,
  plan: Plan,
): SharedMetadata {
  const ofPlaces = createHash('sha256');
  addShared(ofPlaces, source, { ...translationFields, ...noTexts });
  addValue(ofPlaces, [plan.siteTitle, ...plan.movedFallbacks]);
  for (const { pages } of plan.articles.values()) addValue(ofPlaces, Array.from(pages.values(), pathOf));
  for (const pages of plan.categoryPages.values()) addValue(ofPlaces, Array.from(pages.values(), pathOf));
  const places = ofPlaces.digest('hex');
  const hashes = plan.languages.map(({ tag, siteTitle }) => {
    const hash = createHash('sha256').update(places);
    addValue(hash, siteTitle);
    return [tag, hash] as const;
  });
  for (const { pages } of plan.articles.values()) {
    // Many languages may lack an article that many others have.
    const ofOthers = once(() =>
      createHash('sha256')
        .update(JSON.stringify([...pages.values()].map(textsOf)))
        .digest('hex'),
    );
    for (const [tag, hash] of hashes) {
      const own = pages.get(tag);
      addValue(hash, own === undefined ? ofOthers() : textsOf(own));
    }
  }
  const languages = Object.fromEntries(hashes.map(([tag, hash]) => [tag, hash.digest('hex')]));
  const all = createHash('sha256');
  addValue(all, [places, languages, ...[blocks, boilerplate].map(listTexts)]);
  return { all: all.digest('hex'), places, languages };
}

function pathOf({ path }: PageAddress): string {
  return path;
}

function textsOf({ title, description, listTitle }: ArticlePage): readonly unknown[] {
  return [title, description, listTitle];
}

/**
 * Hash of everything that pages and records may show of other articles except what follows from their titles, descriptions and slugs, which
 * `describeShown` has: what links to them say, where they lead, and the order of articles in a category.
 */
export function hashStructure(
  source: Source,
  { blocks, boilerplate, descriptions }: SharedTexts,
  { languages, movedFallbacks }: Plan,
): string {
  const hash = createHash('sha256');
  addShared(hash, source, { ...translationFields, ...noTexts, slug: 'nothing' });
  addValue(hash, [[blocks, boilerplate, descriptions].map(listTexts), [...movedFallbacks]]);
  for (const { home, categoryById } of languages) {
    addValue(hash, home);
    for (const { children, articleIds: _own, untranslatedIds: _others, ...node } of categoryById.values())
      addValue(hash, [node, children.map(({ id }) => id)]);
  }
  return hash.digest('hex');
}

function addShared(
  hash: Hash,
  { knowledgeBase, hiddenNames, topArticles }: Source,
  fields: typeof translationFields,
): void {
  const { defaultLanguage, categories, excluded, articles } = knowledgeBase;
  addValue(hash, [defaultLanguage, categories, [...excluded]]);
  for (const article of articles) {
    const translations = article.translations.map((translation) => pickShared(translation, fields));
    addValue(hash, { ...pickShared(article, articleFields), translations });
  }
  addValue(hash, [[...hiddenNames], [...topArticles]]);
}

function listTexts(shared: SharedTexts['blocks']): unknown {
  return Array.from(shared, ([language, texts]) => [language, ...texts]);
}

/** How much of a field pages and records show of other articles: its value, only whether it is `null`, or nothing. */
type Shown = 'value' | 'presence' | 'nothing';

const articleFields: Readonly<Record<Exclude<keyof Article, 'translations'>, Shown>> = {
  id: 'value',
  categoryId: 'value',
  tags: 'value',
  createdAt: 'value',
  updatedAt: 'presence',
  isFeatured: 'value',
  sortOrder: 'value',
  showToc: 'value',
  isListed: 'value',
  replaces: 'nothing',
};

const translationFields: Readonly<Record<keyof ArticleTranslation, Shown>> = {
  language: 'value',
  title: 'value',
  slug: 'value',
  description: 'value',
  updatedAt: 'presence',
  bodyHash: 'nothing',
  // Only those that many bodies share.
  blockFingerprints: 'nothing',
  listTitle: 'value',
  sourcePath: 'value',
  aliases: 'nothing',
  file: 'nothing',
};

const noTexts = { title: 'nothing', description: 'nothing', listTitle: 'nothing' } as const;

function pickShared<Name extends string>(
  record: Readonly<Record<Name, unknown>>,
  fields: Readonly<Record<Name, Shown>>,
): Readonly<Record<string, unknown>> {
  const picked: Record<string, unknown> = {};
  for (const name in fields) {
    const shown = fields[name];
    if (shown !== 'nothing') picked[name] = shown === 'value' ? record[name] : record[name] === null;
  }
  return picked;
}

/** Hash of the former URLs of pages, which only redirects have. */
export function hashFormerUrls({ knowledgeBase }: Source): string {
  const hash = createHash('sha256');
  for (const { id, replaces, translations } of knowledgeBase.articles)
    addValue(hash, [id, replaces, ...translations.map(({ aliases }) => aliases)]);
  return hash.digest('hex');
}

function addValue(hash: Hash, value: unknown): void {
  hash.update(`${JSON.stringify(value)}\n`);
}
