import { posix } from 'node:path';
import type { ContentPolicy } from '../../content/document.ts';
import { readForAuthor } from '../../content/transform.ts';
import { folderPath, relativeSourcePath } from '../../core/addresses.ts';
import { isSameLanguage } from '../../core/language.ts';
import type { Article, ArticleTranslation, LanguageTag } from '../../core/model.ts';
import { type Problem, problem } from '../../core/problems.ts';
import { formatFrontMatter } from '../../source/folder/front-matter.ts';
import type { Source } from '../../source/source.ts';

/** A built site as a folder of Markdown. */
interface SiteFolder {
  /** Markdown by path. */
  readonly pages: ReadonlyMap<string, string>;
  /** Images and other files that the pages show or link to: paths in the site, and in the folder. */
  readonly files: ReadonlySet<string>;
  readonly problems: readonly Problem[];
}

/** What {@link writeSiteFolder} needs to know of the site. */
interface PulledSite {
  /** Path of a page's file in the site. */
  readonly fileOf: (page: ArticleTranslation) => string;
  /** Whether the site has a file at a path. */
  readonly hasFile: (path: string) => boolean;
  readonly policy: ContentPolicy;
}

/**
 * Writes each page of a built site as Markdown, at the path of its file: `guide/install.html` becomes `guide/install.md`. Its front matter
 * has the URL of the page (`permalink`), so that a build of the folder publishes it there. Links between pages lead to the Markdown files.
 */
export async function writeSiteFolder(
  source: Pick<Source, 'knowledgeBase' | 'readBodies'>,
  { fileOf, hasFile, policy }: PulledSite,
): Promise<SiteFolder> {
  const { articles, defaultLanguage } = source.knowledgeBase;
  const byId = new Map(articles.map((article) => [article.id, article]));
  const pathOf = (page: ArticleTranslation): string => fileOf(page).replace(/\.html?$/i, '.md');
  const pages = new Map<string, string>();
  const files = new Set<string>();
  const problems: Problem[] = [];
  for (const article of articles) {
    const bodies = await source.readBodies(article.id);
    for (const page of article.translations) {
      const { language } = page;
      const path = pathOf(page);
      /** The address of something in the site, as a link from this page. */
      const locate = (address: string): string => {
        const [, id, rest = ''] = /^\/article\/([A-Za-z0-9]{10})(#.*)?$/s.exec(address) ?? [];
        const target = id === undefined ? undefined : byId.get(id);
        if (target !== undefined)
          return encodePath(relativePath(path, pathOf(inLanguage(target, language)))) + rest;
        const file = folderPath(address);
        if (file === null) return address;
        const { search, hash } = new URL(address);
        if (!hasFile(file)) return `/${encodePath(file)}${search}${hash}`;
        files.add(file);
        return encodePath(relativePath(path, file)) + hash;
      };
      const read = readForAuthor(
        bodies.get(language) ?? '',
        {
          baseUrl: null,
          language,
          policy,
          sourceHeadingIds: null,
          keepsIds: true,
          resolveImage: (src) => ({ src: locate(src), width: null, height: null }),
          resolveLink: (href) => {
            const address = locate(href).replace(/\s/g, encodeURIComponent);
            return {
              ...{ kind: 'internal', href: address, url: address },
              ...{ articleId: null, categoryId: null, hreflang: null },
            };
          },
        },
        'author-html',
      );
      for (const { code, message } of read.problems)
        problems.push(problem(code, message, { articleId: article.id, language, file: page.file }));
      const data = fieldsOf(article, page, defaultLanguage);
      pages.set(path, formatFrontMatter({ data, body: `\n${read.markdown.replace(/\n$/, '')}` }));
    }
  }
  return { pages, files, problems };
}

/** The front matter of a page, as `source/folder/plain` reads it. */
function fieldsOf(
  { id, tags, sortOrder, createdAt }: Article,
  { title, description, language, sourcePath, updatedAt }: ArticleTranslation,
  defaultLanguage: LanguageTag,
): Readonly<Record<string, unknown>> {
  return {
    title,
    ...(description === null ? {} : { description }),
    ...(sortOrder === null ? {} : { order: sortOrder }),
    ...(isSameLanguage(language, defaultLanguage) ? {} : { lang: language }),
    ...(sourcePath === null ? {} : { permalink: `/${relativeSourcePath(sourcePath)}` }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(createdAt === null ? {} : { date: createdAt }),
    ...(updatedAt === null ? {} : { lastmod: updatedAt }),
    // Translations belong together by it, and documents keep their ids in the feed.
    article_id: id,
  };
}

/** The page that a link from a page in a language leads to. */
function inLanguage({ translations }: Article, language: LanguageTag): ArticleTranslation {
  const own = translations.find((one) => isSameLanguage(one.language, language));
  return own ?? (translations[0] as ArticleTranslation);
}

function relativePath(from: string, to: string): string {
  return posix.relative(posix.dirname(from), to);
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
