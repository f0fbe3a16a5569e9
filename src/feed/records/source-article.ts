import type { DocumentRecord } from './document-record.ts';
import type { SourceRecord } from './source-record.ts';

const separatorChars = 72;

/** Stands around the header of every article of `source.txt`, and nowhere else in it. */
export const articleSeparator = '='.repeat(separatorChars);

/** What of a document stands in the source page. */
export function sourceRecord(document: DocumentRecord): SourceRecord {
  const { id, article_id, language, title, url, tags, updated_at, hash, tokens, category, content } =
    document;
  return {
    id,
    article_id,
    language,
    title,
    url,
    category_path: category?.path ?? [],
    tags,
    ...(updated_at === undefined ? {} : { updated_at }),
    hash,
    tokens,
    text: content.text,
  };
}

/**
 * One article of `source.json`.
 * @param textJson JSON of its text
 */
export function sourceJson({ text, ...rest }: SourceRecord, textJson: string): string {
  return `${JSON.stringify(rest).slice(0, -1)},"text":${textJson}}`;
}

/**
 * One article of `source.txt`: separator line, header lines, separator line, text, empty line.
 * Splitting at the separator can never mix articles: a row of signs in the text that would make one is cut short.
 */
export function sourceText(record: SourceRecord): string {
  const header = [
    ['Title', record.title],
    ['URL', record.url],
    ['Language', record.language],
    ['Id', record.id],
    ['Category', record.category_path.join(' > ')],
    ['Tags', record.tags.join(', ')],
    ['Updated', record.updated_at ?? ''],
  ].filter(([, value]) => value !== '');
  return [
    articleSeparator,
    ...header.map(([name, value]) => `${name}: ${value?.replaceAll(/\s+/g, ' ')}`),
    articleSeparator,
    withoutSeparator(record.text.trimEnd()),
    '\n',
  ].join('\n');
}

function withoutSeparator(text: string): string {
  return text.includes(articleSeparator) ? text.replaceAll(/={72,}/g, articleSeparator.slice(1)) : text;
}
