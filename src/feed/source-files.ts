import type { Output } from '../output/output.ts';
import type { SourcePage, SourceRecord } from './source-record.ts';

const separatorChars = 72;

/** Stands around the header of every article of `source.txt`, and nowhere else in it. */
export const articleSeparator = '='.repeat(separatorChars);

/** The chatbot source page in both forms, written article by article. */
export interface SourceFiles {
  add(article: SourceArticle): Promise<void>;
  /** Closes both; gives the number of articles by path. */
  close(): Promise<ReadonlyMap<string, number>>;
}

/** One article in both forms; it stands in the file of its language and in that of all. */
export interface SourceArticle {
  readonly json: string;
  readonly text: string;
}

export function sourceArticle(record: SourceRecord): SourceArticle {
  return { json: JSON.stringify(record), text: sourceText(record) };
}

/** Opens `<folder>/source.json` and `<folder>/source.txt`. */
export async function openSourceFiles(
  output: Output,
  folder: string,
  head: Omit<SourcePage, 'articles'>,
): Promise<SourceFiles> {
  const json = await output.open(`${folder}/source.json`);
  const text = await output.open(`${folder}/source.txt`);
  await json.write(`${JSON.stringify(head).slice(0, -1)},"articles":[`);
  let count = 0;
  return {
    async add(article) {
      await json.write(`${count === 0 ? '' : ','}\n${article.json}`);
      await text.write(article.text);
      count += 1;
    },
    async close() {
      await json.write('\n]}\n');
      await json.close();
      await text.close();
      return new Map([
        [`${folder}/source.json`, count],
        [`${folder}/source.txt`, count],
      ]);
    },
  };
}

/**
 * One article of `source.txt`: separator line, header lines, separator line, text, empty line.
 * Splitting at the separator can never mix articles: a row of signs in the text that would make one is cut short.
 */
function sourceText(record: SourceRecord): string {
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
    record.text.trimEnd().replaceAll(/={72,}/g, '='.repeat(separatorChars - 1)),
    '\n',
  ].join('\n');
}
