import type { ArticleCreate } from '../core/api/article.ts';
import type { CategoryCreate } from '../core/api/category.ts';
import type {
  Article,
  ArticleBodies,
  Category,
  ExclusionReason,
  KnowledgeBase,
  LanguageTag,
} from '../core/model.ts';
import { type Problem, problem } from '../core/problems.ts';
import { countReasons } from '../core/report.ts';
import { createLinkResolver, type LinkSettings } from '../site/links/resolve-links.ts';
import { rewriteReferences } from '../source/folder/references.ts';
import type { SkippedTranslation } from '../source/source.ts';

/** The public content of a source, with the images in the bodies. */
export interface SourceContent extends Pick<KnowledgeBase, 'categories' | 'excluded' | 'defaultLanguage'> {
  readonly articles: readonly {
    readonly article: Article;
    readonly bodies: ArticleBodies;
    /** When its languages stop being public, ISO 8601 in UTC; absent: never. */
    readonly unpublishAt?: Readonly<Record<LanguageTag, string>>;
  }[];
  /** URLs of the source: links there to an article are changed to links in the service. */
  readonly origins: Pick<LinkSettings, 'hosts' | 'siteUrl' | 'apiUrl'>;
}

/** Id in the service by id in the source; `null` if unknown. */
export interface RecordIds {
  article(sourceId: string): string | null;
  category(sourceId: string): string | null;
}

/** An article as the service is to have it. */
interface WrittenArticleRecord {
  readonly record: ArticleCreate;
  /** Whether it links to an article or category without an id in the service, so that its body is not final. */
  readonly isWaiting: boolean;
  readonly problems: readonly Problem[];
}

/** Makes the records of all categories, parents first; siblings are numbered in display order. */
export function categoryRecords(content: SourceContent, ids: RecordIds): readonly CategoryCreate[] {
  const positions = new Map<string | null, number>();
  return content.categories.map((category) => {
    const position = (positions.get(category.parentId) ?? 0) + 1;
    positions.set(category.parentId, position);
    return categoryRecord(category, position, content.defaultLanguage, ids);
  });
}

function categoryRecord(
  { id, parentId, icon, translations }: Category,
  position: number,
  defaultLanguage: LanguageTag,
  ids: RecordIds,
): CategoryCreate {
  const own = translations.find(({ language }) => language === defaultLanguage) ?? translations[0];
  return {
    category_id: id,
    title: own?.title ?? id,
    slug: own?.slug ?? null,
    description: own?.description ?? null,
    parent_category_id: parentId === null ? null : (ids.category(parentId) ?? parentId),
    sort_order: position,
    icon,
    multilingual: translations
      .filter(({ language }) => language !== defaultLanguage)
      .map(({ language, title, slug, description }) => ({
        language_code: language,
        title,
        slug,
        description,
      })),
  };
}

/** Makes the records of articles. Links between them lead to the records that already exist. */
export function articlesWriter(content: SourceContent, ids: RecordIds) {
  const { origins, excluded, defaultLanguage } = content;
  const articles = new Map(
    content.articles.map(({ article }) => [article.id, pagesOf('article', article.id)]),
  );
  const categories = new Map(content.categories.map(({ id }) => [id, pagesOf('category', id)]));
  const resolve = createLinkResolver(
    {
      articles: { get: (id) => articles.get(id) },
      categoryPages: { get: (id) => categories.get(id)?.pages },
    },
    { ...origins, excluded, hiddenNames: new Map(), hasZendeskUrls: false },
  )(defaultLanguage);

  return ({ article, bodies, unpublishAt = {} }: SourceContent['articles'][number]): WrittenArticleRecord => {
    const problems: Problem[] = [];
    let isWaiting = false;
    const rewrite = (body: string, language: LanguageTag): string =>
      rewriteReferences(body, (address, kind) => {
        if (kind === 'image' || address.startsWith('#')) return address;
        const found = resolve(address);
        if (found.kind === 'unlinked') {
          problems.push(problem('SYNC_LINK_LOST', found.message, { articleId: article.id, language }));
        }
        if (found.kind !== 'internal') return address;
        const [what, id] =
          found.articleId === null
            ? (['category', found.categoryId ?? ''] as const)
            : (['article', found.articleId] as const);
        const other = ids[what](id);
        if (other === null) isWaiting = true;
        const isRelative = !/^[a-z][a-z0-9+.-]*:|^\/\//i.test(address);
        if (other === null || (other === id && isRelative)) return address;
        return `/${what}/${other}${address.includes('#') ? address.slice(address.indexOf('#')) : ''}`;
      });
    const own = article.translations.find(({ language }) => language === defaultLanguage);
    if (own === undefined) {
      const message = `${article.id} has no title and text in the default language, ${defaultLanguage}`;
      problems.push(
        problem('SYNC_LANGUAGE_MISSING', message, { articleId: article.id, language: defaultLanguage }),
      );
    }
    const { createdAt, updatedAt, categoryId } = article;
    const otherDates = article.translations.filter((one) => (one.updatedAt ?? updatedAt) !== updatedAt);
    if (otherDates.length > 0) {
      const message = `the dates of ${otherDates.map(({ language }) => language).join(', ')} could not be pushed`;
      problems.push(problem('SYNC_DATES_LOST', message, { articleId: article.id }));
    }
    const record: ArticleCreate = {
      article_id: article.id,
      category_id: categoryId === null ? null : (ids.category(categoryId) ?? categoryId),
      title: (own ?? article.translations[0])?.title ?? article.id,
      slug: own?.slug ?? null,
      description: own?.description ?? null,
      tags: [...article.tags],
      is_published: true,
      is_private: false,
      permission_groups: null,
      ...endOf(unpublishAt[defaultLanguage]),
      is_featured: article.isFeatured,
      show_toc: article.showToc,
      sort_order: article.sortOrder,
      body: own === undefined ? '' : rewrite(bodies.get(defaultLanguage) ?? '', defaultLanguage),
      multilingual: article.translations
        .filter(({ language }) => language !== defaultLanguage)
        .map(({ language, title, slug, description }) => ({
          language_code: language,
          title,
          slug,
          description,
          body: rewrite(bodies.get(language) ?? '', language),
          is_live: true,
          ...endOf(unpublishAt[language]),
        })),
      ...(createdAt === null ? {} : { created_at: createdAt }),
      ...(updatedAt === null ? {} : { updated_at: updatedAt }),
    };
    return { record, isWaiting, problems };
  };
}

/** Other services may refuse the field. */
function endOf(unpublishAt: string | undefined): { readonly unpublish_at?: string } {
  return unpublishAt === undefined ? {} : { unpublish_at: unpublishAt };
}

/** One problem for each article and translation that is not pushed because it is not public or not in the chosen languages. */
export function reportSkipped(
  excluded: ReadonlyMap<string, ExclusionReason>,
  translations: readonly SkippedTranslation[],
): readonly Problem[] {
  return [
    ...Array.from(excluded, ([articleId, reason]) =>
      problem('SYNC_SKIPPED', `${articleId} was not pushed (${reason})`, { articleId }),
    ),
    ...translations.map(({ articleId, language, reason }) => {
      const why = reason === 'hidden' ? 'it is not public' : `languages does not include ${language}`;
      const message = `the translation of ${articleId} into ${language} was not pushed: ${why}`;
      return problem('SYNC_TRANSLATION_SKIPPED', message, { articleId, language });
    }),
  ];
}

/** The records that `reportSkipped` reports, counted by reason. */
export function countSkipped(
  excluded: ReadonlyMap<string, ExclusionReason>,
  translations: readonly SkippedTranslation[],
): Readonly<Record<string, number>> {
  const counts = countReasons(excluded);
  for (const key of translations.map(({ reason }) => `${reason}-translation`).sort())
    counts[key] = (counts[key] ?? 0) + 1;
  return counts;
}

/** The resolver only has to find the record, so any URL will do. */
function pagesOf(what: string, id: string) {
  const address = `/${what}/${id}`;
  return { pages: new Map([['', { href: address, url: address, language: '' }]]) };
}
