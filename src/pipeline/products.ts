import { hash } from 'node:crypto';
import type { Problem } from '../core/problems.ts';
import type { Output, WrittenFile } from '../output/output.ts';

/** Files that a build makes together; they are the same as long as the key is. */
interface Product {
  readonly key: string;
  readonly files: readonly string[];
  readonly problems: readonly Problem[];
}

/** The products of a build besides the pages of articles, by name. */
export type Products = Readonly<Record<string, Product>>;

/** Writes the files of a product. */
type WriteProduct = () => Promise<{
  readonly files: Iterable<Pick<WrittenFile, 'path'>>;
  readonly problems?: readonly Problem[];
}>;

export interface ProductMaker {
  /**
   * Publishes the files of the last build again if their product had the same key, and otherwise what `write` writes.
   * @param key everything that the files depend on besides settings, templates and program
   */
  make(name: string, key: readonly unknown[], write: WriteProduct): Promise<void>;
  /** What was made so far. */
  readonly made: Products;
}

/** @param settings hash of program, settings and templates @param last products of the last build; `null` if none may be reused */
export function createProductMaker(
  settings: string,
  last: Products | null,
  output: Pick<Output, 'reuseAll'>,
): ProductMaker {
  const made: Record<string, Product> = {};
  return {
    made,
    async make(name, inputs, write) {
      const key = hash('sha256', JSON.stringify([settings, ...inputs]));
      const known = last?.[name];
      if (known?.key === key && (await output.reuseAll(known.files)) !== null) {
        made[name] = { ...known, problems: problemsThatRemain(known.problems) };
        return;
      }
      const { files, problems = [] } = await write();
      made[name] = { key, files: Array.from(files, ({ path }) => path), problems };
    },
  };
}

/** Problems of one run: a run that finds everything unchanged does not report them again. */
const problemsOfOneRun: readonly string[] = ['ADDRESSES_FORGOTTEN', 'FEED_RESTARTED'];

/** The problems that a run reports which changes nothing about their files. */
export function problemsThatRemain<Found extends Pick<Problem, 'code'>>(problems: readonly Found[]): Found[] {
  return problems.filter(({ code }) => !problemsOfOneRun.includes(code));
}
