import type { StoreContext } from './article-store.ts';
import { ownLanguage } from './index-words.ts';
import type { ReaderSignal, SignalCount, Store } from './store.ts';

/** Different texts of one kind and day; more are not stored, because the key that counts them is public. */
const maxPerDay = 2_000;

/** How long texts of readers are kept, in days. */
const keptDays = 400;

/** Counts a signal of an article that exists, or of none, unless there are too many of its day. */
const insert = `
  INSERT INTO reader_signal (kind, day, article_id, language, value, count)
  SELECT $1, $2, $3, $4, $5, 1
  WHERE ($3 = '' OR EXISTS (SELECT 1 FROM article WHERE article_id = $3))
    AND (EXISTS (SELECT 1 FROM reader_signal
                 WHERE kind = $1 AND day = $2 AND article_id = $3 AND language = $4 AND value = $5)
      OR (SELECT count(*) FROM reader_signal WHERE kind = $1 AND day = $2) < ${maxPerDay})
  ON CONFLICT (kind, day, article_id, language, value) DO UPDATE SET count = reader_signal.count + 1`;

/** The part of the store for what readers did not find or liked: numbers and texts per day, without anything about the readers. */
export function createReaderStore({ database }: StoreContext): Pick<Store, 'countSignal' | 'listSignals'> {
  return {
    countSignal: async (signal: ReaderSignal) => {
      const { kind, day, articleId, language, value } = signal;
      const last = new Date(Date.parse(day) - keptDays * 86_400_000).toISOString().slice(0, 10);
      await database.run('DELETE FROM reader_signal WHERE day < $1', last);
      await database.run(insert, kind, day, articleId, language, value);
    },
    listSignals: ({ kind, from, to, language }) =>
      database.rows<SignalCount>(
        `SELECT signal.article_id AS "articleId", signal.language, value, CAST(sum(count) AS bigint) AS count, max(day) AS "lastDay",
            (SELECT title FROM article_version AS version JOIN article ON article.position = version.position
             WHERE article.article_id = signal.article_id AND version.language = '${ownLanguage}') AS title
         FROM reader_signal AS signal
         WHERE kind = $1 AND day BETWEEN $2 AND $3 ${language === undefined ? '' : 'AND signal.language = $4'}
         GROUP BY signal.article_id, signal.language, value
         ORDER BY count DESC, "lastDay" DESC, value`,
        kind,
        from,
        to,
        ...(language === undefined ? [] : [language]),
      ),
  };
}
