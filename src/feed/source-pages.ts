import type { LanguageTag } from '../core/model.ts';
import { z } from '../core/schema.ts';
import { fileAddress } from '../site/plan/page-url.ts';
import type { Plan } from '../site/plan/plan.ts';
import type { Manifest } from './read/manifest.ts';
import { type DocumentRecord, sourceArticle } from './records/record-schemas.ts';
import { unassigned } from './site-order.ts';

/** The whole `source.json` of a language: the chatbot source page. Each article has a line of its own. */
export const sourcePage = z.object({
  schema: z.literal('lectern/source/4'),
  site: z.object({ title: z.string(), url: z.string(), default_language: z.string() }),
  language: z.string().describe('BCP 47 tag.'),
  articles: z.array(sourceArticle).describe('In the order of the site: by category.'),
});

type FeedSourcePage = z.output<typeof sourcePage>;

/** One article of `source.txt` and `llms-full.txt`: its title, URL and date, and its Markdown with headings one level down. */
export function sourceText({ title, url, updated_at, headings, markdown }: DocumentRecord): string {
  const updated = updated_at === undefined ? '' : `\nUpdated: ${updated_at.slice(0, 10)}`;
  let text = '';
  let end = 0;
  for (const { level, start } of headings) {
    text += `${markdown.slice(end, start)}${level < 6 ? '#' : ''}`;
    end = start;
  }
  text += markdown.slice(end);
  return `\n## ${oneLine(title)}\n\nURL: ${url}${updated}\n${text === '' ? '' : '\n'}${text}`;
}

/**
 * What `source.txt` has before each article: a heading where another category begins, nothing elsewhere and if there are no categories.
 * @param paths categories of the articles in their order, titles outermost first
 */
export function categoryHeadings(paths: readonly (readonly string[])[]): readonly string[] {
  if (paths.every((path) => path.length === 0)) return paths.map(() => '');
  let name = '';
  return paths.map((path, at) => {
    if (path === paths[at - 1]) return '';
    const last = name;
    name = oneLine(path.join(' › ')) || unassigned;
    return name === last ? '' : `\n# ${name}\n`;
  });
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** How a feed names the site it belongs to. */
export function siteOf(plan: Plan): FeedSourcePage['site'] {
  return {
    title: plan.siteTitle,
    url: fileAddress(plan, 'index.html').url,
    default_language: plan.defaultLanguage,
  };
}

/** The start of `source.json`, before its first article. */
export function sourceHead(
  { title, url, default_language }: FeedSourcePage['site'],
  language: LanguageTag,
): string {
  const head: Omit<FeedSourcePage, 'articles'> = {
    schema: 'lectern/source/4',
    site: { title, url, default_language },
    language,
  };
  return `${JSON.stringify(head).slice(0, -1)},"articles":[\n`;
}

/** Between two articles of `source.json`, each of which is the start of a record: {@link startOfRecord}. */
export const sourceSeparator = '},\n';

/** The end of `source.json`. @param articles number of its articles */
export function sourceTail(articles: number): string {
  return articles === 0 ? '\n]}\n' : '}\n]}\n';
}

/**
 * The start of the line of a document, which has all fields of its article in `source.json`. The quotation mark before a key is never inside
 * of a string, where it would be escaped.
 */
export function startOfRecord(line: string): string {
  return line.slice(0, line.lastIndexOf('","tokens":') + 1);
}

/** The start of `source.txt` and `llms-full.txt`. @param languages number of languages of the feed */
export function textHead(
  { language, name, title }: Pick<Manifest['languages'][number], 'language' | 'name' | 'title'>,
  siteUrl: string,
  languages: number,
): string {
  const others = languages === 1 ? '' : `\nOther languages: ${siteUrl}llms.txt\n`;
  return `# ${title}\n\n> Every help article of ${title} in ${name} (${language}).\n${others}`;
}

/** Where the files for language models of a language are: at the top of a site with one language, else in a folder of the language. */
export function llmsFolder(
  { languages }: { readonly languages: readonly unknown[] },
  language: LanguageTag,
): string {
  return languages.length === 1 ? '' : `${language}/`;
}

/** Path of the file with all articles of a language: `source.txt` where readers of `llms.txt` look for it. */
export function fullTextPath(
  site: { readonly languages: readonly unknown[] },
  language: LanguageTag,
): string {
  return `${llmsFolder(site, language)}llms-full.txt`;
}
