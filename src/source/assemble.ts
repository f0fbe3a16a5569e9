import { languageKey } from '../foundation/language-tag.ts';
import type {
  Article,
  Category,
  ExclusionReason,
  KnowledgeBase,
  LanguageTag,
  TopArticle,
} from '../foundation/model.ts';
import { type Problem, problem } from '../foundation/problems.ts';
import { createSpeller } from './normalise/language-spelling.ts';
import type { SnapshotContent, StoredArticle } from './snapshot/format.ts';

export interface AssembledKnowledgeBase {
  readonly knowledgeBase: KnowledgeBase;
  /** Every article with the byte range of its bodies, and the languages as they are spelled there. */
  readonly stored: ReadonlyMap<string, StoredArticle>;
  /** How a language found in the snapshot is spelled in the knowledge base. */
  readonly spell: (tag: LanguageTag) => LanguageTag;
  readonly topArticles: ReadonlyMap<LanguageTag, readonly TopArticle[]>;
  readonly problems: readonly Problem[];
}

/**
 * Makes the knowledge base of what a snapshot holds: categories that do not exist are taken off articles, each language
 * gets one spelling, and languages that are not wanted are removed.
 * @param languages the languages to publish, or `null` for all
 */
export function assembleKnowledgeBase(
  content: SnapshotContent,
  defaultLanguage: LanguageTag,
  languages: readonly LanguageTag[] | null,
): AssembledKnowledgeBase {
  const speller = createSpeller(allLanguages(content), languages ?? [], defaultLanguage);
  const wanted = languages === null ? null : new Set(languages.map(languageKey));
  const isWanted = (tag: LanguageTag): boolean => wanted === null || wanted.has(languageKey(tag));
  const categoryIds = new Set(content.categories.map(({ id }) => id));
  const problems: Problem[] = [...content.listingProblems, ...content.otherProblems, ...speller.problems];
  const articles: Article[] = [];
  const excluded = new Map<string, ExclusionReason>(content.excluded);
  const stored = new Map<string, StoredArticle>();
  for (const entry of content.articles) {
    problems.push(...entry.problems.filter(({ language }) => language === null || isWanted(language)));
    const article = selectLanguages(entry.article, categoryIds, isWanted, speller.spell, problems);
    if (article.translations.length === 0) excluded.set(article.id, 'other-language');
    else {
      articles.push(article);
      stored.set(article.id, entry);
    }
  }
  const categories = content.categories.map((category) =>
    selectCategoryLanguages(category, isWanted, speller.spell),
  );
  const topArticles = new Map(
    [...content.topArticles].filter(([tag]) => isWanted(tag)).map(([tag, top]) => [speller.spell(tag), top]),
  );
  const knowledgeBase = { defaultLanguage, articles, categories, excluded };
  return { knowledgeBase, stored, spell: speller.spell, topArticles, problems };
}

function selectLanguages(
  article: Article,
  categoryIds: ReadonlySet<string>,
  isWanted: (tag: LanguageTag) => boolean,
  spell: (tag: LanguageTag) => LanguageTag,
  problems: Problem[],
): Article {
  const { id, categoryId } = article;
  const isLost = categoryId !== null && !categoryIds.has(categoryId);
  if (isLost) {
    const shown = JSON.stringify(categoryId.slice(0, 80));
    problems.push(
      problem('CATEGORY_UNKNOWN', `the category ${shown} of ${id} does not exist`, { articleId: id }),
    );
  }
  const isUnchanged = article.translations.every(
    ({ language }) => isWanted(language) && spell(language) === language,
  );
  // Most articles need nothing, and a hundred thousand copies would need memory.
  if (isUnchanged && !isLost) return article;
  const translations = article.translations
    .filter(({ language }) => isWanted(language))
    .map((translation) => ({ ...translation, language: spell(translation.language) }));
  return { ...article, categoryId: isLost ? null : categoryId, translations };
}

/** A category keeps one title to be called by where none of its languages is wanted. */
function selectCategoryLanguages(
  category: Category,
  isWanted: (tag: LanguageTag) => boolean,
  spell: (tag: LanguageTag) => LanguageTag,
): Category {
  const kept = category.translations.filter(({ language }) => isWanted(language));
  const translations = (kept.length > 0 ? kept : category.translations.slice(0, 1)).map((translation) => ({
    ...translation,
    language: spell(translation.language),
  }));
  return { ...category, translations };
}

function* allLanguages({ articles, categories }: SnapshotContent): Generator<LanguageTag> {
  for (const { article } of articles) for (const { language } of article.translations) yield language;
  for (const { translations } of categories) for (const { language } of translations) yield language;
}
