import { LecternError } from '../core/errors.ts';
import { describeExclusions } from '../core/exclusions.ts';
import { countEach } from '../core/group-by.ts';
import { guardLoss } from '../core/guard-loss.ts';
import { languageKey } from '../core/language.ts';
import type { Article, LanguageTag } from '../core/model.ts';
import { countReasons } from '../core/report.ts';
import type { ArticlesRead } from './adapter.ts';
import type { StoredArticle } from './snapshot/format.ts';
import type { ReadSettings } from './source.ts';

interface GuardSettings extends Pick<ReadSettings, 'defaultLanguage' | 'maxDropPercent'> {
  /** See `SourceAdapter.identity`. */
  readonly identity: string;
}

/**
 * Stops a run that would remove a large part of the last one: an error of the server or the configuration is more likely than intention.
 * @param previous public articles of the last snapshot of this knowledge base; `null` if there is none to compare with
 * @throws NOTHING_TO_PUBLISH, MASS_DELETE
 */
export function guardListing(
  read: Pick<ArticlesRead, 'listed' | 'articles' | 'excluded' | 'problems'>,
  previous: readonly StoredArticle[] | null,
  { identity, defaultLanguage, maxDropPercent }: GuardSettings,
): void {
  const { listed, excluded, problems } = read;
  const articles = read.articles.map(({ article }) => article);
  const [, kind, folder = null] = /^(folder|site):(.+)$/.exec(identity) ?? [];
  const isSite = kind === 'site';
  if (listed === 0) {
    const what =
      folder === null
        ? 'the source lists no articles'
        : isSite
          ? `the folder ${folder} contains no .html file`
          : `the folder ${folder} contains no page: no .md file whose name does not begin with _ or .`;
    throw stop(what, kind, 'build the site first, then pass the folder that its generator wrote');
  }
  if (articles.length === 0) {
    const [first, ...others] = [...excluded].filter(([, reason]) => reason === 'no-content');
    if (first !== undefined) {
      const found = problems.find(
        ({ articleId, code }) =>
          articleId === first[0] && (code === 'ARTICLE_NOT_PUBLISHABLE' || code === 'MAIN_TEXT_UNKNOWN'),
      );
      if (isSite) throw withoutText(found?.message ?? null, listed);
      const { file = null, message = 'no language has both a title and a body' } = found ?? {};
      throw withoutContent(`${file ?? `the article ${first[0]}`}: ${message}`, others.length);
    }
    const none = listed === 1 ? 'the only listed article is not' : `none of the ${listed} listed articles is`;
    const counts = countReasons(excluded);
    throw stop(
      // A record without a valid id is reported, but has no reason under an id.
      `${none} public: ${describeExclusions(counts) || 'no valid id'}`,
      kind,
      'noindex' in counts
        ? 'a page with noindex is not meant to be found: if this is a test version of the site, build the one that is published'
        : 'pass the folder that has its pages',
    );
  }
  const languages = countLanguages(articles);
  const wanted = languageKey(defaultLanguage);
  if (![...languages.keys()].some((tag) => languageKey(tag) === wanted)) {
    const found = [...languages].sort(([, a], [, b]) => b - a).map(([tag, count]) => `${tag} (${count})`);
    const more = found.length > 5 ? `${found.length - 5} more` : [];
    throw nothing(
      `no article has a title and a body in the default language ${defaultLanguage}; languages of the articles: ${[...found.slice(0, 5), more].flat().join(', ')}`,
      'set defaultLanguage (--default-language) to the language of the original texts',
    );
  }
  if (previous === null) return;
  const before = previous.map(({ article }) => article);
  guardLoss(
    { total: before.length, languages: countLanguages(before) },
    { total: articles.length, languages },
    {
      ...{ noun: 'article', totalNoun: 'public article', when: 'in the last snapshot', maxDropPercent },
      lost: () => titlesOfLost(before, articles),
    },
  );
}

/** Titles of articles, or of their translations, that were public and no longer are. */
function titlesOfLost(previous: readonly Article[], articles: readonly Article[]): readonly string[] {
  const now = new Map(articles.map(({ id, translations }) => [id, translations]));
  return previous.flatMap(({ id, translations }) => {
    const left = now.get(id);
    if (left === undefined) return translations[0]?.title ?? id;
    const languages = new Set(left.map(({ language }) => languageKey(language)));
    return translations
      .filter(({ language }) => !languages.has(languageKey(language)))
      .map(({ title, language }) => `${title} (${language})`);
  });
}

/** @param example what was reported of the first page without text; `null`: nothing */
function withoutText(example: string | null, pages: number): LecternError {
  const what =
    pages === 1
      ? 'the only page of the site has no text'
      : `none of the ${pages} pages of the site has a text`;
  return nothing(
    example === null ? what : `${what}: ${example}`,
    'if scripts make the pages in the browser, let the generator write their HTML (prerendering); else name the element with the main text in source.content',
  );
}

function withoutContent(first: string, others: number): LecternError {
  const rest =
    others === 0
      ? 'no other article is public'
      : `${others} others have no content either, and no article is public`;
  return nothing(
    `${first}; ${rest}`,
    'give an article a title and a text below it, or pass --allow-mass-delete once',
  );
}

/**
 * @param kind `undefined`: the source is no folder
 * @param ofSite what to do if the source is a built site
 */
function stop(message: string, kind: string | undefined, ofSite: string): LecternError {
  const settings =
    kind === undefined
      ? 'the key and the base URL of the source'
      : 'the folder of the source and the front matter of its pages';
  return nothing(
    message,
    kind === 'site' ? ofSite : `if this is intended, pass --allow-mass-delete once, else check ${settings}`,
  );
}

function nothing(message: string, hint: string): LecternError {
  return new LecternError('NOTHING_TO_PUBLISH', message, { hint: `nothing was published; ${hint}` });
}

/** Articles per language, sorted by tag in code-unit order. */
export function countLanguages(articles: Iterable<Article>): ReadonlyMap<LanguageTag, number> {
  const languages = [...articles].flatMap(({ translations }) => translations.map(({ language }) => language));
  return new Map([...countEach(languages)].sort(([a], [b]) => (a < b ? -1 : 1)));
}
