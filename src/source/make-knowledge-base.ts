import { countEach, groupBy } from '../core/group-by.ts';
import { keysOfPath, keysOfSlug } from '../core/hidden-names.ts';
import { languageKey } from '../core/language.ts';
import type {
  Article,
  Category,
  ExclusionReason,
  KnowledgeBase,
  LanguageTag,
  TopArticles,
} from '../core/model.ts';
import { type Problem, problem } from '../core/problems.ts';
import { hyphenate } from '../core/slug.ts';
import type { SnapshotContent, StoredArticle } from './snapshot/format.ts';

interface AssembledKnowledgeBase {
  readonly knowledgeBase: KnowledgeBase;
  /** The articles of the knowledge base, in its order, as stored. Languages are spelled as in the snapshot. */
  readonly stored: readonly StoredArticle[];
  /** Number of translations that exist but are not published. */
  readonly hiddenTranslations: number;
  /** The spelling in the knowledge base of a language in the snapshot. */
  readonly spell: (tag: LanguageTag) => LanguageTag;
  readonly topArticles: TopArticles;
  /** Article ids by the keys of names that only records and translations have which are not in the knowledge base (`hidden-names.ts`). */
  readonly hiddenNames: ReadonlyMap<string, string>;
  readonly problems: readonly Problem[];
}

/**
 * Creates the knowledge base from the content of a snapshot: removes missing categories from articles, gives each language one spelling,
 * and removes languages that are not published.
 * @param languages languages to publish, or `null` for all
 * @param nowMs languages that have stopped being public before are removed
 */
export function assembleKnowledgeBase(
  content: SnapshotContent,
  defaultLanguage: LanguageTag,
  languages: readonly LanguageTag[] | null,
  nowMs: number,
): AssembledKnowledgeBase {
  const speller = createSpeller(allLanguages(content), languages ?? [], defaultLanguage);
  const wanted = languages === null ? null : new Set(languages.map(languageKey));
  const isWanted = (tag: LanguageTag): boolean => wanted === null || wanted.has(languageKey(tag));
  const categoryIds = new Set(content.categories.map(({ id }) => id));
  const problems: Problem[] = [...content.listingProblems, ...content.otherProblems, ...speller.problems];
  const articles: Article[] = [];
  const excluded = new Map<string, ExclusionReason>(content.excluded);
  const stored: StoredArticle[] = [];
  let hiddenTranslations = 0;
  const hidden = new Map<string, string>();
  const hide = (id: string, keys: readonly string[]): void => {
    for (const key of keys) hidden.set(key, id);
  };
  for (const [id, keys] of content.hiddenNames) hide(id, keys);
  for (const entry of content.articles) {
    problems.push(...entry.problems.filter(({ language }) => language === null || isWanted(language)));
    const article = withoutEnded(entry, nowMs);
    const categoryId = hasKnownCategory(article, categoryIds, problems) ? article.categoryId : null;
    const wantedTexts = article.translations.filter(({ language }) => isWanted(language));
    const translations = spellAll(wantedTexts, speller.spell);
    hide(article.id, entry.hiddenNames ?? []);
    const shown = new Set(translations.map(({ language }) => languageKey(language)));
    for (const text of entry.article.translations) {
      if (!shown.has(languageKey(speller.spell(text.language)))) hide(article.id, namesOf(text));
    }
    if (article.translations.length === 0) excluded.set(article.id, 'draft');
    else if (translations.length === 0) excluded.set(article.id, 'other-language');
    else {
      const replaces = Object.fromEntries(
        Object.entries(article.replaces).map(([language, id]) => [speller.spell(language), id]),
      );
      articles.push({ ...article, categoryId, replaces, translations });
      stored.push(entry);
      hiddenTranslations += entry.hidden.length;
    }
  }
  const categories = content.categories.map((category) =>
    selectCategoryLanguages(category, isWanted, speller.spell),
  );
  const topArticles = new Map(
    [...content.topArticles].filter(([tag]) => isWanted(tag)).map(([tag, top]) => [speller.spell(tag), top]),
  );
  const knowledgeBase = { defaultLanguage, articles, categories, excluded };
  return {
    ...{ knowledgeBase, stored, hiddenTranslations, topArticles, problems },
    spell: speller.spell,
    hiddenNames: withoutPublic(hidden, knowledgeBase),
  };
}

/** Keys of what a URL of a translation may contain. */
function namesOf(text: Article['translations'][number]): readonly string[] {
  const paths = [text.sourcePath, ...text.aliases, text.file].filter((path) => path !== null);
  return [...keysOfSlug(text.slug ?? hyphenate(text.title)), ...paths.flatMap(keysOfPath)];
}

/** Parts of the URLs of every site. */
const siteNames = ['article', 'articles', 'category', 'categories', 'search', 'feed', 'assets', 'hc', 'l'];

/** The hidden names that no public record has: a draft often has the slug of the page that it will replace. */
function withoutPublic(
  hidden: ReadonlyMap<string, string>,
  { articles, categories }: KnowledgeBase,
): ReadonlyMap<string, string> {
  if (hidden.size === 0) return hidden;
  const names = new Map(hidden);
  // Many pages have the same language and the same folders, and a key takes a hash.
  const [slugs, paths] = [new Set(siteNames), new Set<string>()];
  for (const { translations } of articles) {
    for (const { language, title, slug, sourcePath, aliases, file } of translations) {
      const own = [sourcePath, ...aliases].filter((path) => path !== null);
      for (const name of [slug ?? hyphenate(title), hyphenate(title), language]) slugs.add(name);
      for (const path of own) for (const part of path.split('/')) slugs.add(part);
      for (const path of file === null ? own : [...own, file]) paths.add(path);
    }
  }
  for (const { id, path, aliases = [], translations } of categories) {
    slugs.add(id);
    for (const one of path === undefined ? aliases : [path, ...aliases]) paths.add(one);
    for (const { title, slug } of translations) slugs.add(slug ?? hyphenate(title));
  }
  for (const slug of slugs) for (const key of keysOfSlug(slug)) names.delete(key);
  for (const path of paths) for (const key of keysOfPath(path)) names.delete(key);
  return names;
}

function withoutEnded({ article, unpublishAt }: StoredArticle, nowMs: number): Article {
  if (unpublishAt === undefined) return article;
  const isPublic = (language: LanguageTag) => {
    const end = unpublishAt[language];
    return end === undefined || Date.parse(end) > nowMs;
  };
  return { ...article, translations: article.translations.filter(({ language }) => isPublic(language)) };
}

/** `false` if the article names a category that does not exist or is not public, which is reported. */
function hasKnownCategory(
  { id, categoryId }: Article,
  categoryIds: ReadonlySet<string>,
  problems: Problem[],
): boolean {
  if (categoryId === null || categoryIds.has(categoryId)) return true;
  const shown = JSON.stringify(categoryId.slice(0, 80));
  problems.push(
    problem('CATEGORY_UNKNOWN', `the category ${shown} of ${id} does not exist or is not public`, {
      articleId: id,
    }),
  );
  return false;
}

/** Translations, each with its language's one spelling. Unchanged ones are the same objects. */
function spellAll<T extends { readonly language: LanguageTag }>(
  translations: readonly T[],
  spell: (tag: LanguageTag) => LanguageTag,
): readonly T[] {
  return translations.map((translation) => {
    const language = spell(translation.language);
    return language === translation.language ? translation : { ...translation, language };
  });
}

/** A category keeps at least one title, even if none of its languages is published, because pages have to name it. */
function selectCategoryLanguages(
  category: Category,
  isWanted: (tag: LanguageTag) => boolean,
  spell: (tag: LanguageTag) => LanguageTag,
): Category {
  const kept = category.translations.filter(({ language }) => isWanted(language));
  const texts = kept.length > 0 ? kept : category.translations.slice(0, 1);
  return { ...category, translations: spellAll(texts, spell) };
}

function* allLanguages({ articles, categories }: SnapshotContent): Generator<LanguageTag> {
  for (const { article } of articles) for (const { language } of article.translations) yield language;
  for (const { translations } of categories) for (const { language } of translations) yield language;
}

interface Speller {
  /** The one spelling of a language. */
  readonly spell: (tag: LanguageTag) => LanguageTag;
  /** Reports every language that is spelled in several ways or published under a deprecated code. */
  readonly problems: readonly Problem[];
}

/**
 * Gives every language one spelling, because `pt-BR` and `pt-br` are the same language and, on many disks, the same folder: the configured
 * spelling, else the most frequent, else the first in code-unit order.
 */
export function createSpeller(
  used: Iterable<LanguageTag>,
  configured: readonly LanguageTag[],
  defaultLanguage: LanguageTag,
): Speller {
  const counts = countEach(used);
  const groups = groupBy([...counts.keys()].sort(), languageKey);
  const fixed = new Map([...configured, defaultLanguage].map((tag) => [languageKey(tag), tag]));
  const spellings = new Map<LanguageTag, LanguageTag>();
  const problems: Problem[] = [];
  for (const [key, group] of groups) {
    const frequent = group.reduce((a, b) => ((counts.get(b) ?? 0) > (counts.get(a) ?? 0) ? b : a));
    const chosen = fixed.get(key) ?? frequent;
    for (const tag of group) spellings.set(tag, chosen);
    if (group.length > 1) {
      const message = `${group.join(' and ')} are one language; ${chosen} is used`;
      problems.push(problem('LANGUAGE_NORMALISED', message, { language: chosen }));
    }
    if (chosen.toLowerCase() !== key) {
      const message = `the current code of the language ${chosen} is ${key}; its pages are published under ${chosen}`;
      problems.push(problem('LANGUAGE_NORMALISED', message, { language: chosen }));
    }
  }
  return { spell: (tag) => spellings.get(tag) ?? fixed.get(languageKey(tag)) ?? tag, problems };
}
