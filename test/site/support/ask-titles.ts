import type { SiteFiles } from '../../support/static-server.ts';
import { openSearch } from './search-site.ts';

/** What the search of a site answers to the exact title of every article. */
export interface AskedTitles {
  readonly asked: number;
  /** Numbers of titles whose article is first, or among the first ten. */
  readonly first: number;
  readonly amongTen: number;
  /** Titles whose article is not found in the topic of its breadcrumbs, or is found there with articles whose breadcrumbs have another topic. */
  readonly wrongTopics: readonly string[];
}

/** Languages that a published site can be searched in. */
export function searchedLanguages(files: SiteFiles): readonly string[] {
  return [...files.keys()].flatMap((path) => /^([^/]+)\/search\/index\.json$/.exec(path)?.[1] ?? []);
}

/**
 * Asks the published search of a language for every title that its published pages show: once in all topics, and once in the topic of the article,
 * which must be that of all results.
 */
export async function askTitles(files: SiteFiles, language: string): Promise<AskedTitles> {
  const articles = readArticles(files, language);
  const { search } = await openSearch(files, language);
  const wrongTopics: string[] = [];
  let first = 0;
  let amongTen = 0;
  for (const { title, topic } of articles.values()) {
    const { results } = await search(title, 10);
    const found = results.findIndex((result) => result.title === title);
    if (found === 0) first += 1;
    if (found >= 0) amongTen += 1;
    if (topic === '') continue;
    const filtered = (await search(title, 10, topic)).results;
    const isRight = filtered.every(({ href }) => articles.get(decodeURI(href))?.topic === topic);
    if (!isRight || !filtered.some((result) => result.title === title)) wrongTopics.push(title);
  }
  return { asked: articles.size, first, amongTen, wrongTopics };
}

/** Title and topic of every article of a language, as its page show them in heading and breadcrumbs, by the path of its URL. */
function readArticles(
  files: SiteFiles,
  language: string,
): ReadonlyMap<string, { readonly title: string; readonly topic: string }> {
  const pages = [...files].flatMap(([path, content]) => {
    const html = path.endsWith('/index.html') ? content.toString() : '';
    if (!html.includes(`<html lang="${language}"`) || !html.includes('class="article-tools"')) return [];
    const [, title = ''] = /<h1>(.*)<\/h1>/.exec(html) ?? [];
    const [nav = ''] = /<nav class="breadcrumbs"[\s\S]*?<\/nav>/.exec(html) ?? [];
    // The first one is the home page.
    const [, topic = ''] = [...nav.matchAll(/<a [^>]*>(.*)<\/a>/g)].map(([, name = '']) => name);
    return [
      [
        `/${path.slice(0, -'index.html'.length)}`,
        { title: readText(title), topic: readText(topic) },
      ] as const,
    ];
  });
  return new Map(pages);
}

const references: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: '\u00a0',
};

function readText(html: string): string {
  return html.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_all, name: string) => references[name] ?? '');
}
