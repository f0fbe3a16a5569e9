import { operations } from '../../core/api/operations.ts';
import {
  type ArticleFeedback,
  type MissedSearch,
  readerLimits,
  statisticsLimits,
} from '../../core/api/queries.ts';
import { getOrMake } from '../../core/group-by.ts';
import { maskPersonal } from '../mask-personal.ts';
import { addOperation, type RouteContext } from './add-operation.ts';
import { timeframe, toDay } from './timeframe.ts';

const { countFeedback, countSearch, readFeedback, readSearches } = operations;

/** Paths to which the pages of a site send what readers did not find, also as the fields of a form. */
export const readerPaths: ReadonlySet<string> = new Set([
  `/v1${countSearch.path}`,
  `/v1${countFeedback.path}`,
]);

/** Texts of one article in a response. */
const maxTexts = 100;

/** Searches without a result, and feedback. Nothing that identifies a reader is stored, and what was typed is stored without what looks like it. */
export function addReaderRoutes(context: RouteContext): void {
  const { store, clock } = context;
  addOperation(context, countSearch, async ({ body }) => {
    const value = maskPersonal(body.query.toLowerCase(), readerLimits.query);
    const signal = {
      kind: 'search',
      day: toDay(clock()),
      articleId: '',
      language: body.language,
      value,
    } as const;
    if (value !== '') await store.countSignal(signal);
    return '{"success":true}';
  });
  addOperation(context, countFeedback, async ({ body }) => {
    const { article: articleId, language, helpful, text = '' } = body;
    const signal = { day: toDay(clock()), articleId, language };
    const value = maskPersonal(text, readerLimits.text);
    if (helpful !== undefined) await store.countSignal({ ...signal, kind: 'answer', value: helpful });
    if (value !== '') await store.countSignal({ ...signal, kind: 'text', value });
    return '{"success":true}';
  });
  addOperation(context, readSearches, async ({ query }) => {
    const rows = await store.listSignals({
      kind: 'search',
      ...timeframe(query, clock),
      language: query.language_code,
    });
    const searches: MissedSearch[] = rows
      .slice(0, query.limit ?? statisticsLimits.default)
      .map(({ value, language, count, lastDay }) => ({
        query: value,
        language_code: language,
        count,
        last_date: lastDay,
      }));
    return JSON.stringify({ searches });
  });
  addOperation(context, readFeedback, async ({ query }) => {
    const wanted = { ...timeframe(query, clock), language: query.language_code };
    const entries = new Map<string, { -readonly [Field in keyof ArticleFeedback]: ArticleFeedback[Field] }>();
    const entryOf = (articleId: string, language: string, title: string) =>
      getOrMake(entries, `${articleId} ${language}`, () => ({
        ...{ article_id: articleId, title, language_code: language },
        ...{ helpful: 0, unhelpful: 0, texts: [] },
      }));
    for (const row of await store.listSignals({ kind: 'answer', ...wanted })) {
      if (row.title === null) continue;
      entryOf(row.articleId, row.language, row.title)[row.value === 'yes' ? 'helpful' : 'unhelpful'] +=
        row.count;
    }
    const texts = [...(await store.listSignals({ kind: 'text', ...wanted }))];
    for (const row of texts.sort((one, other) => (one.lastDay < other.lastDay ? 1 : -1))) {
      if (row.title === null) continue;
      const entry = entryOf(row.articleId, row.language, row.title);
      if (entry.texts.length < maxTexts) entry.texts.push(row.value);
    }
    const feedback = [...entries.values()]
      .sort(
        (one, other) =>
          other.unhelpful - one.unhelpful ||
          other.texts.length - one.texts.length ||
          one.helpful - other.helpful,
      )
      .slice(0, query.limit ?? statisticsLimits.default);
    return JSON.stringify({ feedback });
  });
}
