import type { LanguageTag } from '../model.ts';
import { RecordLog, type Scratch } from '../output/record-log.ts';
import type { Plan } from '../plan/plan.ts';

/** First words of the articles without a description: noted while documents are added, asked for in the end. */
export interface Openings {
  /** In every language articles come sorted by id. @param words `null` where there is a description */
  note(language: LanguageTag, words: string | null): void;
  /** Empty where none were noted. */
  find(articleId: string, language: LanguageTag): string;
}

/** @param scratch takes the words; `null`: they stay in memory */
export function createOpenings(plan: Plan, scratch: Scratch | null): Openings {
  const log = new RecordLog(scratch);
  const byLanguage = new Map(
    plan.languages.map(({ tag, articleIds }) => [tag, createTable(articleIds)] as const),
  );
  return {
    note(language, words) {
      const table = byLanguage.get(language);
      if (table === undefined) throw new Error(`${language} is not planned`);
      const bytes = Buffer.from(words ?? '');
      table.positions[table.used] = log.append(bytes);
      table.lengths[table.used] = bytes.length;
      table.used += 1;
    },
    find(articleId, language) {
      const table = byLanguage.get(language);
      const at = table === undefined ? -1 : indexOf(table.articleIds, articleId);
      const length = table?.lengths[at] ?? 0;
      return length === 0 ? '' : log.read(table?.positions[at] ?? 0, length).toString();
    },
  };
}

/** Where the words of each article of one language lie. */
function createTable(articleIds: readonly string[]) {
  const { length } = articleIds;
  return { articleIds, used: 0, positions: new Float64Array(length), lengths: new Uint16Array(length) };
}

/** In a sorted list; -1 where it does not stand there. */
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
