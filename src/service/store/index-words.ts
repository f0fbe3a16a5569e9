import type { SearchQuery } from '../../core/api/queries.ts';
import { limits } from '../../core/api/record-text.ts';
import { minCompound, reversed } from '../../core/search/compounds.ts';
import { type LanguageWords, tokenize } from '../../core/search/language-words.ts';
import { indexTerms } from '../../core/search/rank-passages.ts';
import type { IndexQuery } from './sql.ts';

/** Who may find a version: articles for some readers, and drafts, are found only if a search asks for them. */
interface VersionAccess {
  readonly isClosed: boolean;
  readonly isDraft: boolean;
}

/** What a version is found by. */
export interface SearchableVersion extends VersionAccess {
  /** The language as stored; {@link ownLanguage} for the record's own title and body. */
  readonly languageKey: string;
  readonly title: string;
  /** Description and tags. */
  readonly hints: string;
  /** Plain text. */
  readonly text: string;
}

/** The words of a version, separated by spaces. */
interface VersionWords {
  /** Every word once: for `search_index`. */
  readonly index: string;
  /** Words in order, with repetitions, and their numbers, for the ranking. */
  readonly title: ReturnType<typeof indexTerms>;
  readonly hints: ReturnType<typeof indexTerms>;
  readonly text: ReturnType<typeof indexTerms>;
}

/** Maximum size of the index words of one version: PostgreSQL takes at most 1 MB. */
const maxBytes = 900_000;

/** The ranking reads the beginning of a text: reading more would make searches slow. */
const rankedCharacters = 20_000;

/** A private-use character: it starts index words that no text and no search can contain. */
const mark = '\u{E000}';

/** The index word that says that a word is in the title. */
export function inTitle(word: string): string {
  return `${mark}${word}`;
}

/** The start of index words for words of which the end is a part: see {@link reversed}. */
export function endingWith(part: string): string {
  return `${mark}${mark}${mark}${part}`;
}

/** Makes the words of a version: each word as it is written, and its stem. */
export function toVersionWords(version: SearchableVersion, words: LanguageWords): VersionWords {
  const { title, hints, text, languageKey } = version;
  const full = `${title}\n${text.slice(0, limits.indexedCharacters)}`;
  const all = new Set<string>([accessWord(version), languageWord(languageKey)]);
  const add = (term: string, change: (word: string) => string) => {
    for (const word of [term, words.stem(term)]) if (word !== '') all.add(change(word));
  };
  for (const term of tokenize(title)) add(term, inTitle);
  for (const term of tokenize(`${hints}\n${full}`)) add(term, (word) => word);
  if (words.hasCompounds) {
    for (const term of tokenize(full)) {
      const end = term.length >= minCompound ? reversed(words.stem(term)) : null;
      if (end !== null) all.add(endingWith(end));
    }
  }
  return {
    index: joinUpTo(all, maxBytes),
    title: indexTerms(title, words),
    hints: indexTerms(hints, words),
    text: indexTerms(full.slice(0, rankedCharacters), words),
  };
}

function joinUpTo(words: ReadonlySet<string>, maxBytes: number): string {
  const kept: string[] = [];
  let bytes = 0;
  for (const word of words) {
    bytes += Buffer.byteLength(word) + 1;
    if (bytes > maxBytes) break;
    kept.push(word);
  }
  return kept.join(' ');
}

/**
 * Words that a version must have, and must not have, to be found by a search.
 * @param languageKey as {@link SearchableVersion.languageKey}; `null`: every language
 */
export function scopeOf(
  { include_private, include_draft }: Pick<SearchQuery, 'include_private' | 'include_draft'>,
  languageKey: string | null,
): Pick<IndexQuery, 'required' | 'excluded'> {
  const all: readonly VersionAccess[] = [
    { isClosed: true, isDraft: false },
    { isClosed: false, isDraft: true },
    { isClosed: true, isDraft: true },
  ];
  const hidden = all.filter(
    ({ isClosed, isDraft }) => (isClosed && !include_private) || (isDraft && !include_draft),
  );
  return {
    required: languageKey === null ? [] : [languageWord(languageKey)],
    // Most versions are public, so what is hidden is excluded: an index reads less for rare words.
    excluded: hidden.map(accessWord),
  };
}

function accessWord({ isClosed, isDraft }: VersionAccess): string {
  return `${mark}${mark}${isClosed ? 'closed' : 'open'}${isDraft ? 'draft' : ''}`;
}

/** A language tag as one word of letters and digits. */
function languageWord(languageKey: string): string {
  return `${mark}${mark}${languageKey === ownLanguage ? 'own' : `in${languageKey.replaceAll('-', '0')}`}`;
}

/** Placeholder among the versions for the language of the record's own title and body, because that language is a setting and not data. */
export const ownLanguage = '';
