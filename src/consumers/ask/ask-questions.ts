import { type LineMistake, type Question, throwMistakes } from './read-questions.ts';

/** An article as the search finds it. */
export interface FoundArticle {
  readonly articleId: string;
  readonly title: string;
  readonly url: string;
}

/** What questions are put to. */
export interface AskedSearch {
  /**
   * Articles of the passages that answer the query, best first; an article may come again.
   * @param language `null`: all
   */
  search(query: string, language: string | null): Promise<readonly FoundArticle[]>;
  /** An article by id or URL; `null` if it is not in the feed, or not in the language. */
  find(idOrUrl: string, language: string | null): FoundArticle | null;
}

/** A question whose article is not among the first three. */
export interface Miss {
  readonly line: number;
  readonly question: string;
  readonly language: string | null;
  readonly expected: readonly FoundArticle[];
  /** Position of the first expected article, from 1; `null`: not among the first ten. */
  readonly rank: number | null;
  /** The first three articles. */
  readonly found: readonly FoundArticle[];
}

/** How well a search answers questions. */
export interface AskReport {
  readonly questions: number;
  /** Percent of the questions with an expected article in first place. */
  readonly hit1: number;
  /** Percent of the questions with an expected article among the first three. */
  readonly hit3: number;
  /** Mean of one divided by the position of the first expected article; positions after the tenth count 0. */
  readonly mrr: number;
  /** By line. */
  readonly misses: readonly Miss[];
}

const mostRanks = 10;
const shownArticles = 3;

/**
 * Puts questions to a search.
 * @param name of the file of questions, for messages
 * @throws QUESTIONS_INVALID if articles are not in the feed
 */
export async function askQuestions(
  questions: readonly Question[],
  { search, find }: AskedSearch,
  name: string,
): Promise<AskReport> {
  const mistakes: LineMistake[] = [];
  const asked = questions.map((question) => {
    const { line, articles, language } = question;
    const expected = articles.flatMap((article) => {
      const known = find(article, language);
      if (known !== null) return [known];
      const where = language === null ? 'in the feed' : `in the feed in ${language}`;
      mistakes.push({ line, message: `the article ${article} is not ${where}` });
      return [];
    });
    return { ...question, expected };
  });
  throwMistakes(mistakes, name);

  const ranks: (number | null)[] = [];
  const misses: Miss[] = [];
  for (const { line, question, language, expected } of asked) {
    const found = distinct(await search(question, language)).slice(0, mostRanks);
    const wanted = new Set(expected.map(({ articleId }) => articleId));
    const at = found.findIndex(({ articleId }) => wanted.has(articleId));
    const rank = at < 0 ? null : at + 1;
    ranks.push(rank);
    if (rank !== null && rank <= shownArticles) continue;
    misses.push({ line, question, language, expected, rank, found: found.slice(0, shownArticles) });
  }
  return { questions: ranks.length, ...measure(ranks), misses };
}

function measure(ranks: readonly (number | null)[]): Pick<AskReport, 'hit1' | 'hit3' | 'mrr'> {
  const within = (most: number) => ranks.filter((rank) => rank !== null && rank <= most).length;
  const mean = (sum: number, scale: number) => Math.round((sum / ranks.length) * scale * 1000) / 1000;
  return {
    hit1: mean(within(1), 100),
    hit3: mean(within(shownArticles), 100),
    mrr: mean(
      ranks.reduce<number>((sum, rank) => sum + (rank === null ? 0 : 1 / rank), 0),
      1,
    ),
  };
}

function distinct(found: readonly FoundArticle[]): FoundArticle[] {
  return [...new Map(found.map((article) => [article.articleId, article])).values()];
}
