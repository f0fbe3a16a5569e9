import type { Output } from '../output/output.ts';
import type { SourcePage } from './source-record.ts';

/** The chatbot source page in both forms, written article by article. */
export interface SourceFiles {
  add(article: SourceArticle): Promise<void>;
  /** Closes both; gives the number of articles by path. */
  close(): Promise<ReadonlyMap<string, number>>;
}

/** One article in both forms; it stands in the file of its language and in that of all. */
interface SourceArticle {
  readonly sourceJson: string | Uint8Array;
  readonly sourceText: string | Uint8Array;
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
    async add({ sourceJson, sourceText }) {
      await json.write(count === 0 ? '\n' : ',\n');
      await json.write(sourceJson);
      await text.write(sourceText);
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
