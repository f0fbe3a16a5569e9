import type { LanguageTag } from '../core/model.ts';
import { z } from '../core/schema.ts';
import { fileAddress } from '../site/plan/page-url.ts';
import type { Plan, PlannedLanguage } from '../site/plan/plan.ts';
import type { Manifest } from './read/manifest.ts';
import type { DocumentRecord } from './records/record-schemas.ts';
import { unassigned } from './site-order.ts';

/** One article in one language, as the chatbot source page lists it. */
const sourceArticle = z.object({
  id: z.string().describe('Document id, as in documents.jsonl.'),
  title: z.string(),
  url: z.string().describe('URL of the page.'),
  updated_at: z.string().optional().describe('ISO 8601, UTC.'),
  category_path: z.array(z.string()).describe('Category titles in this language, outermost first.'),
  tags: z.array(z.string()),
  markdown: z.string().describe('The Markdown of the document.'),
});

/** The whole `source.json` of a language. */
export const sourcePage = z.object({
  schema: z.literal('lectern/source/3'),
  site: z.object({ title: z.string(), url: z.string(), default_language: z.string() }),
  language: z.string().describe('BCP 47 tag.'),
  articles: z.array(sourceArticle).describe('In the order of the site: by category.'),
});

type SourceRecord = z.output<typeof sourceArticle>;
type FeedSourcePage = z.output<typeof sourcePage>;

/** The fields of a document that are in the source page. */
export function sourceRecord(document: DocumentRecord): SourceRecord {
  const { id, title, url, updated_at, category, tags, markdown } = document;
  const date = updated_at === undefined ? {} : { updated_at };
  return { id, title, url, ...date, category_path: category?.path ?? [], tags, markdown };
}

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
  const names = paths.map((path) => oneLine(path.join(' › ')) || unassigned);
  return names.map((name, at) => (name === names[at - 1] ? '' : `\n# ${name}\n`));
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
export function sourceHead(plan: Plan, { tag }: PlannedLanguage): string {
  const head: Omit<FeedSourcePage, 'articles'> = {
    schema: 'lectern/source/3',
    site: siteOf(plan),
    language: tag,
  };
  return `${JSON.stringify(head).slice(0, -1)},"articles":[\n`;
}

export const sourceTail = '\n]}\n';

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
export function llmsFolder({ languages }: Pick<Plan, 'languages'>, language: LanguageTag): string {
  return languages.length === 1 ? '' : `${language}/`;
}

/** Path of the file with all articles of a language: `source.txt` where readers of `llms.txt` look for it. */
export function fullTextPath(plan: Pick<Plan, 'languages'>, language: LanguageTag): string {
  return `${llmsFolder(plan, language)}llms-full.txt`;
}
