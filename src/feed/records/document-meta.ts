import { getOrMake } from '../../core/group-by.ts';
import { stripInvisible, stripSoftHyphens } from '../../core/invisible.ts';
import type { LanguageTag } from '../../core/model.ts';
import { type ArticlePage, categoryTrail, type Plan, type PlannedArticle } from '../../site/plan/plan.ts';
import { type DocumentRecord, documentId } from './record-schemas.ts';

/**
 * All fields of a page's records that do not depend on its content, in the order of the record. Plain JSON data, because it is passed
 * between threads. Pages with equal metadata and equal documents have equal records.
 */
export type DocumentMeta = Readonly<
  Omit<DocumentRecord, 'markdown' | 'tokens' | 'hash' | 'headings' | 'flags'>
>;

/** Makes the metadata of one page. Omits a description that many articles share, because it describes none of them. */
export function makeDocumentMeta(
  plan: Plan,
  article: PlannedArticle,
  page: ArticlePage,
  shared: SharedTexts,
): DocumentMeta {
  const { language } = page;
  const description = page.description ?? '';
  const isOwn = shared.descriptions.get(language)?.has(description) !== true;
  const path = [...pathOfArticle(plan, language, article.id)];
  return {
    id: documentId(article.id, language),
    article_id: article.id,
    language,
    title: feedText(page.title),
    url: page.url,
    ...(article.categoryId === null ? {} : { category: { id: article.categoryId, path } }),
    tags: article.tags.map(feedText),
    ...present('description', isOwn ? feedText(description) : null),
    ...present('updated_at', page.updatedAt ?? article.updatedAt),
  };
}

/**
 * The titles of an article's category and those above it, outermost first, as its record has them. Categories without a title in the language are
 * skipped: a feed never mixes languages.
 */
export function pathOfArticle(plan: Plan, language: LanguageTag, articleId: string): readonly string[] {
  const planned = plan.languageByTag.get(language);
  const categoryId = plan.articles.get(articleId)?.categoryId ?? null;
  const trail = planned === undefined ? [] : categoryTrail(planned, categoryId);
  return trail.flatMap(({ page }) => (page.titleLanguage === language ? [feedText(page.title)] : []));
}

/** A text of one line as the feed publishes it. */
export function feedText(text: string): string {
  return stripSoftHyphens(stripInvisible(text));
}

function present<Name extends string>(name: Name, value: string | null): { [key in Name]?: string } {
  return (value === null || value === '' ? {} : { [name]: value }) as { [key in Name]?: string };
}

/** Texts that so many articles of a language share that they say nothing about a single one. */
export interface SharedTexts {
  /** Descriptions, by language. */
  readonly descriptions: ReadonlyMap<LanguageTag, ReadonlySet<string>>;
  /** Fingerprints of call-outs and first paragraphs, by language. */
  readonly blocks: ReadonlyMap<LanguageTag, ReadonlySet<string>>;
  /** Those of them that most articles have. */
  readonly boilerplate: ReadonlyMap<LanguageTag, ReadonlySet<string>>;
}

/** A text is shared if at least this many articles have it, and more than this share of the articles of its language. */
const minArticles = 3;
const minShare = 0.01;
/** What fewer articles share may be an answer: "Only administrators can do this." */
const boilerplateShare = 0.5;

/** Finds the texts that the articles of each language share. Sorted, so that the result can be hashed. */
export function findSharedTexts({ articles }: Pick<Plan, 'articles'>): SharedTexts {
  const descriptions = countTexts(articles, ({ description }) => (description === null ? [] : [description]));
  const blocks = countTexts(articles, (page) => page.blockFingerprints);
  return {
    descriptions: pickShared(descriptions, minShare),
    blocks: pickShared(blocks, minShare),
    boilerplate: pickShared(blocks, boilerplateShare),
  };
}

/** Per language: its number of pages, and how often each text occurs. */
function countTexts(articles: Plan['articles'], textsOf: (page: ArticlePage) => readonly string[]) {
  const found = new Map<LanguageTag, { pages: number; readonly counts: Map<string, number> }>();
  for (const article of articles.values()) {
    for (const page of article.pages.values()) {
      const inLanguage = getOrMake(found, page.language, () => ({ pages: 0, counts: new Map() }));
      inLanguage.pages += 1;
      const { counts } = inLanguage;
      for (const text of textsOf(page)) counts.set(text, (counts.get(text) ?? 0) + 1);
    }
  }
  return found;
}

function pickShared(found: ReturnType<typeof countTexts>, share: number): SharedTexts['blocks'] {
  return new Map(
    Array.from(found, ([language, { pages, counts }]) => {
      const least = Math.max(minArticles, Math.floor(pages * share) + 1);
      const texts = [...counts].filter(([, count]) => count >= least).map(([text]) => text);
      return [language, new Set(texts.sort())];
    }),
  );
}

/** Fingerprints of a page's call-outs and first paragraph that other articles have, too. */
export interface PageSharedBlocks {
  /** Of those that many articles have. */
  readonly many: readonly string[];
  /** Of those that most articles have. */
  readonly most: readonly string[];
}

/** The blocks of a page that are shared. */
export function sharedBlocks(
  { blocks, boilerplate }: SharedTexts,
  { language, blockFingerprints }: ArticlePage,
): PageSharedBlocks {
  const pick = (of: ReadonlySet<string> | undefined) => blockFingerprints.filter((each) => of?.has(each));
  return { many: pick(blocks.get(language)), most: pick(boilerplate.get(language)) };
}
