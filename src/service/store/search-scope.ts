import type { StoredArticle } from '../records/article-record.ts';
import type { SearchRequest } from './store.ts';

/** Marks the record's own title and body among the versions: which language they are is a setting, not data. */
export const ownLanguage = '';

/** The words in the index that say who may read a version and which language it is in. */
export function scopeWords(article: StoredArticle, language: string, isLive: boolean): string {
  const isClosed = article.is_private || Boolean(article.permission_groups?.length);
  const isDraft = !article.is_published || !isLive;
  return `${accessWord(isClosed, isDraft)} ${languageWord(language)}`;
}

/** The full-text expression for what a search may find; holds words of ours only. */
export function scopeExpression(request: SearchRequest, defaultLanguage: string): string {
  const words = [false, ...(request.includePrivate ? [true] : [])].flatMap((isClosed) =>
    [false, ...(request.includeDraft ? [true] : [])].map((isDraft) => accessWord(isClosed, isDraft)),
  );
  const access = `(${words.join(' OR ')})`;
  if (request.language === undefined) return access;
  const language = request.language === defaultLanguage ? ownLanguage : request.language;
  return `${access} AND ${languageWord(language)}`;
}

/** A private-use character, which no word of a text or of a search can hold: what follows is a word of ours. */
const mark = '\u{E000}';

function accessWord(isClosed: boolean, isDraft: boolean): string {
  if (isClosed) return `${mark}${isDraft ? 'closeddraft' : 'closed'}`;
  return `${mark}${isDraft ? 'draft' : 'open'}`;
}

/** A language tag as one word of letters and digits; it can be no word for access. */
function languageWord(language: string): string {
  return `${mark}${language === ownLanguage ? 'own' : `in${language.toLowerCase().replaceAll('-', '0')}`}`;
}
