import type { Output } from '../output/output.ts';
import { appendText, repeatSpan } from './append-text.ts';
import type { SourcePlaces, Span } from './file-places.ts';
import type { SourcePage } from './source-record.ts';

/** The chatbot source page in both forms, written article by article. */
export interface SourceFiles {
  add(article: SourceArticle): Promise<SourcePlaces>;
  /** Adds an article as it is in the previous feed. */
  repeat(places: SourcePlaces): Promise<SourcePlaces>;
  /** Closes both; gives the number of articles by path. */
  close(): Promise<ReadonlyMap<string, number>>;
}

/** One article in both forms; it stands in the file of its language and in that of all. */
interface SourceArticle {
  readonly sourceJson: string | Uint8Array;
  readonly sourceText: string | Uint8Array;
}

const separator = ',\n';
const firstSeparator = '\n';

/** Opens `<folder>/source.json` and `<folder>/source.txt`. */
export async function openSourceFiles(
  output: Pick<Output, 'open'>,
  folder: string,
  head: Omit<SourcePage, 'articles'>,
): Promise<SourceFiles> {
  const jsonPath = `${folder}/source.json`;
  const textPath = `${folder}/source.txt`;
  const json = await output.open(jsonPath);
  const text = await output.open(textPath);
  await json.write(`${JSON.stringify(head).slice(0, -1)},"articles":[`);
  /** Where the first article's separator lies, in this feed and in the previous one, whose head is as long. */
  const first = json.position();
  let count = 0;
  return {
    async add({ sourceJson, sourceText }) {
      const start = json.position();
      await json.write(count === 0 ? firstSeparator : separator);
      await json.write(sourceJson);
      count += 1;
      return {
        json: [start, json.position() - start],
        text: await appendText(text, sourceText),
      };
    },
    async repeat(places) {
      const start = json.position();
      // An article that came first, or comes first now, has another separator before it.
      const [offset, length] = places.json;
      if ((offset === first) === (count === 0)) await json.repeat(jsonPath, offset, length);
      else {
        await json.write(count === 0 ? firstSeparator : separator);
        await json.repeat(jsonPath, ...behind(places.json, offset === first ? firstSeparator : separator));
      }
      count += 1;
      return {
        json: [start, json.position() - start],
        text: await repeatSpan(text, textPath, places.text),
      };
    },
    async close() {
      await json.write('\n]}\n');
      await json.close();
      await text.close();
      return new Map([
        [jsonPath, count],
        [textPath, count],
      ]);
    },
  };
}

function behind([offset, length]: Span, skipped: string): Span {
  return [offset + skipped.length, length - skipped.length];
}
