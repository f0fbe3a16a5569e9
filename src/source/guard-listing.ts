import { LecternError } from '../core/errors.ts';
import { describeExclusions } from '../core/exclusions.ts';
import { countEach } from '../core/group-by.ts';
import { guardLoss } from '../core/guard-loss.ts';
import { languageKey } from '../core/language.ts';
import type { Article, ExclusionReason, LanguageTag } from '../core/model.ts';
import type { Problem } from '../core/problems.ts';

export interface GuardedListing {
  /** Records in the list, in any state. */
  readonly listed: number;
  readonly articles: readonly Article[];
  /** Articles that are not published, by id. */
  readonly excluded: ReadonlyMap<string, ExclusionReason>;
  /** The path of a folder source; `null` for other sources. */
  readonly folder: string | null;
  /** Whether the folder is a built site; absent: no. */
  readonly isSite?: boolean;
  /** What was reported of an article that is not published; `null`: nothing. */
  readonly problemOf: (articleId: string) => Pick<Problem, 'file' | 'message'> | null;
  readonly defaultLanguage: LanguageTag;
  /** Public articles of the last snapshot of this knowledge base, or `null` if there is none to compare with. */
  readonly previous: readonly Article[] | null;
  /** Largest accepted loss, in total and per language. */
  readonly maxDropPercent: number;
}

/**
 * Stops a run that would remove a large part of the last one: an error of the server or the configuration is more likely than intention.
 * @throws NOTHING_TO_PUBLISH, MASS_DELETE
 */
export function guardListing(listing: GuardedListing): void {
  const { listed, articles, excluded, folder, problemOf, defaultLanguage, previous, maxDropPercent } =
    listing;
  if (listed === 0) {
    const what =
      folder === null
        ? 'the source lists no articles'
        : listing.isSite
          ? `the folder ${folder} contains no .html file`
          : `the folder ${folder} contains no page: no .md file whose name does not begin with _ or .`;
    throw stop(what, listing, 'build the site first, then pass the folder that its generator wrote');
  }
  if (articles.length === 0) {
    const [first, ...others] = [...excluded].filter(([, reason]) => reason === 'no-content');
    if (first !== undefined) {
      if (listing.isSite) throw withoutText(problemOf(first[0])?.message ?? null, listed);
      const { file = null, message = 'no language has both a title and a body' } = problemOf(first[0]) ?? {};
      throw withoutContent(`${file ?? `the article ${first[0]}`}: ${message}`, others.length);
    }
    const none = listed === 1 ? 'the only listed article is not' : `none of the ${listed} listed articles is`;
    const counts: Record<string, number> = {};
    for (const reason of excluded.values()) counts[reason] = (counts[reason] ?? 0) + 1;
    throw stop(
      // A record without a valid id is reported, but has no reason under an id.
      `${none} public: ${describeExclusions(counts) || 'no valid id'}`,
      listing,
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
  guardLoss(
    { total: previous.length, languages: countLanguages(previous) },
    { total: articles.length, languages },
    {
      ...{ noun: 'article', totalNoun: 'public article', when: 'in the last snapshot', maxDropPercent },
      lost: () => titlesOfLost(previous, articles),
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

/** @param ofSite what to do if the source is a built site */
function stop(
  message: string,
  { folder, isSite }: Pick<GuardedListing, 'folder' | 'isSite'>,
  ofSite: string,
): LecternError {
  const settings =
    folder === null
      ? 'the key and the base URL of the source'
      : 'the folder of the source and the front matter of its pages';
  return nothing(
    message,
    isSite ? ofSite : `if this is intended, pass --allow-mass-delete once, else check ${settings}`,
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
