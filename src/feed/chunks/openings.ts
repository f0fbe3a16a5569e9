import type { LanguageTag } from '../../foundation/model.ts';
import type { Plan } from '../../plan/plan.ts';

/** First words of the articles without a description: noted while partitions are added, looked up in the end. */
export interface Openings {
  note(articleId: string, language: LanguageTag, words: string): void;
  /** Empty where none were noted. */
  find(articleId: string, language: LanguageTag): string;
}

/** All words are UTF-8 in one block: a large site would need several times the memory for as many strings. */
export function createOpenings(plan: Plan): Openings {
  let block = Buffer.alloc(1 << 12);
  let used = 0;
  const tables = new Map(
    plan.languages.map(({ tag, articleIds }) => [tag, createTable(articleIds)] as const),
  );
  return {
    note(articleId, language, words) {
      const table = tables.get(language);
      const at = table === undefined ? -1 : indexOf(table.articleIds, articleId);
      if (table === undefined || at < 0) throw new Error(`${articleId} has no planned page in ${language}`);
      const bytes = Buffer.byteLength(words);
      if (used + bytes > block.length) block = Buffer.concat([block], 2 * (used + bytes));
      block.write(words, used);
      table.offsets[at] = used;
      table.lengths[at] = bytes;
      used += bytes;
    },
    find(articleId, language) {
      const table = tables.get(language);
      const at = table === undefined ? -1 : indexOf(table.articleIds, articleId);
      const offset = table?.offsets[at] ?? 0;
      return block.toString('utf8', offset, offset + (table?.lengths[at] ?? 0));
    },
  };
}

/** Where the words of each article of one language are. */
function createTable(articleIds: readonly string[]) {
  const { length } = articleIds;
  return { articleIds, offsets: new Float64Array(length), lengths: new Uint16Array(length) };
}

/** In a sorted list; -1 where it is not. */
function indexOf(sorted: readonly string[], wanted: string): number {
  let from = 0;
  let to = sorted.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((sorted[middle] ?? '') < wanted) from = middle + 1;
    else to = middle;
  }
  return sorted[from] === wanted ? from : -1;
}
