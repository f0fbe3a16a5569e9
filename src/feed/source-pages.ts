import { z } from '../core/schema.ts';
import { fileAddress } from '../site/plan/page-url.ts';
import type { Plan, PlannedLanguage } from '../site/plan/plan.ts';
import type { DocumentRecord } from './records/record-schemas.ts';

/**
 * One article in one language, as the chatbot source page lists it. It has no date: an article has one date for all its languages, so an
 * edit in one language would change the source pages of all others.
 */
const sourceArticle = z.object({
  id: z.string().describe('Document id, as in documents.jsonl.'),
  article_id: z.string().describe('Id of the article in the knowledge base, the same in every language.'),
  language: z.string().describe('BCP 47 tag.'),
  title: z.string(),
  url: z.string().describe('URL of the page.'),
  category_path: z.array(z.string()).describe('Category titles in this language, outermost first.'),
  tags: z.array(z.string()),
  hash: z.string().describe('SHA-256 of title and Markdown.'),
  text: z.string().describe('Plain text, one block per line.'),
});

/** The whole `source.json` of a language. */
export const sourcePage = z.object({
  schema: z.literal('lectern/source/2'),
  site: z.object({ title: z.string(), url: z.string(), default_language: z.string() }),
  languages: z.array(z.string()).describe('The one language of this file.'),
  articles: z.array(sourceArticle).describe('By article id.'),
});

export type SourceRecord = z.output<typeof sourceArticle>;
export type FeedSourcePage = z.output<typeof sourcePage>;

/** The line before and after the header of every article in `source.txt`; it occurs nowhere else in the file. */
export const articleSeparator = '='.repeat(72);

/** The fields of a document that are in the source page. @param text its plain text */
export function sourceRecord(document: DocumentRecord, text: string): SourceRecord {
  const { id, article_id, language, title, url, tags, hash, category } = document;
  return { id, article_id, language, title, url, category_path: category?.path ?? [], tags, hash, text };
}

/**
 * One article of `source.txt`: separator line, header lines, separator line, text, empty line. A row of `=` in the text that equals the
 * separator is shortened, so splitting at the separator is always safe.
 */
export function sourceText({ title, url, language, id, category_path, tags, text }: SourceRecord): string {
  const header = [
    ['Title', title],
    ['URL', url],
    ['Language', language],
    ['Id', id],
    ['Category', category_path.join(' > ')],
    ['Tags', tags.join(', ')],
  ].filter(([, value]) => value !== '');
  return [
    articleSeparator,
    ...header.map(([name, value]) => `${name}: ${value?.replaceAll(/\s+/g, ' ')}`),
    articleSeparator,
    text.trimEnd().replaceAll(/={72,}/g, articleSeparator.slice(1)),
    '\n',
  ].join('\n');
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
export function sourceHead(plan: Plan, language: PlannedLanguage): string {
  const head: Omit<FeedSourcePage, 'articles'> = {
    schema: 'lectern/source/2',
    site: siteOf(plan),
    languages: [language.tag],
  };
  return `${JSON.stringify(head).slice(0, -1)},"articles":[\n`;
}

export const sourceTail = '\n]}\n';
