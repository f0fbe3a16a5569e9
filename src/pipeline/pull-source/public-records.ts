import type {
  Article,
  ArticleBodies,
  Category,
  ExclusionReason,
  KnowledgeBase,
  LanguageTag,
} from '../../core/model.ts';
import { type Problem, problem } from '../../core/problems.ts';
import { countReasons } from '../../core/report.ts';
import { createLinkResolver, type LinkSettings } from '../../site/links/resolve-links.ts';
import { rewriteReferences } from '../../source/folder/references.ts';
import type { WritableArticle, WritableCategory } from '../../source/folder/write-record.ts';
import type { SkippedTranslation } from '../../source/source.ts';

/** The public content of a source, with the images in the bodies. */
export interface PublicContent extends Pick<KnowledgeBase, 'categories' | 'excluded' | 'defaultLanguage'> {
  readonly articles: readonly {
    readonly article: Article;
    readonly bodies: ArticleBodies;
    /** When its languages stop being public, ISO 8601 in UTC; absent: never. */
    readonly unpublishAt?: Readonly<Record<LanguageTag, string>>;
  }[];
  /** URLs of the source: links there lead to its records. */
  readonly origins: Pick<LinkSettings, 'hosts' | 'siteUrl' | 'apiUrl'>;
}

/** Makes the records of all categories, parents first; siblings are numbered in display order. */
export function toCategoryRecords(content: PublicContent): readonly WritableCategory[] {
  const positions = new Map<string | null, number>();
  return content.categories.map((category) => {
    const position = (positions.get(category.parentId) ?? 0) + 1;
    positions.set(category.parentId, position);
    return toCategoryRecord(category, position, content.defaultLanguage);
  });
}

function toCategoryRecord(
  { id, parentId, icon, translations }: Category,
  position: number,
  defaultLanguage: LanguageTag,
): WritableCategory {
  const own = translations.find(({ language }) => language === defaultLanguage) ?? translations[0];
  return {
    category_id: id,
    title: own?.title ?? id,
    slug: own?.slug ?? null,
    description: own?.description ?? null,
    parent_category_id: parentId,
    sort_order: position,
    icon,
    // The date changes no page, and a source without it would change the file in every pull.
    created_at: '',
    updated_at: '',
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

/**
 * Creates a function that makes the record of an article. Links to other records of the source, in any form of their URL, become
 * `/article/<id>` and `/category/<id>`.
 */
export function createArticleWriter(content: PublicContent) {
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

  return ({ article, bodies, unpublishAt = {} }: PublicContent['articles'][number]) => {
    const problems: Problem[] = [];
    const rewrite = (body: string, language: LanguageTag): string =>
      rewriteReferences(body, (address, kind) => {
        if (kind === 'image' || address.startsWith('#')) return address;
        const found = resolve(address);
        if (found.kind === 'unlinked') {
          problems.push(problem('LINK_BROKEN', found.message, { articleId: article.id, language }));
        }
        if (found.kind !== 'internal' || /^\/(?:article|category)\//.test(address)) return address;
        const path =
          found.articleId === null ? `/category/${found.categoryId}` : `/article/${found.articleId}`;
        return `${path}${address.includes('#') ? address.slice(address.indexOf('#')) : ''}`;
      });
    const own = article.translations.find(({ language }) => language === defaultLanguage);
    if (own === undefined) {
      const message = `${article.id} has no title and text in the default language, ${defaultLanguage}`;
      problems.push(
        problem('SYNC_LANGUAGE_MISSING', message, { articleId: article.id, language: defaultLanguage }),
      );
    }
    const { createdAt, updatedAt } = article;
    const otherDates = article.translations.filter((one) => (one.updatedAt ?? updatedAt) !== updatedAt);
    if (otherDates.length > 0) {
      const message = `an article has one date, so those of ${otherDates.map(({ language }) => language).join(', ')} were not written`;
      problems.push(problem('SYNC_DATES_LOST', message, { articleId: article.id }));
    }
    const record: WritableArticle = {
      article_id: article.id,
      category_id: article.categoryId,
      title: (own ?? article.translations[0])?.title ?? article.id,
      slug: own?.slug ?? null,
      description: own?.description ?? null,
      short_version: null,
      tags: [...article.tags],
      is_published: true,
      is_private: false,
      permission_groups: null,
      publish_at: null,
      unpublish_at: unpublishAt[defaultLanguage] ?? null,
      is_featured: article.isFeatured,
      show_toc: article.showToc,
      sort_order: article.sortOrder,
      created_at: createdAt ?? '',
      updated_at: updatedAt ?? '',
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
          publish_at: null,
          unpublish_at: unpublishAt[language] ?? null,
        })),
    };
    return { record, problems };
  };
}

/** One problem for each article and translation that is not pulled because it is not public or not in the chosen languages. */
export function reportSkipped(
  excluded: ReadonlyMap<string, ExclusionReason>,
  translations: readonly SkippedTranslation[],
): readonly Problem[] {
  return [
    ...Array.from(excluded, ([articleId, reason]) =>
      problem('SYNC_SKIPPED', `${articleId} was not pulled (${reason})`, { articleId }),
    ),
    ...translations.map(({ articleId, language, reason }) => {
      const why = reason === 'hidden' ? 'it is not public' : `languages does not include ${language}`;
      const message = `the translation of ${articleId} into ${language} was not pulled: ${why}`;
      return problem('SYNC_SKIPPED', message, { articleId, language });
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
