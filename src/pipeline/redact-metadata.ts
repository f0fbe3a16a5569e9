import { describeSecret, locateSecrets, redactText } from '../feed/guard/secrets.ts';
import { feedText } from '../feed/records/document-meta.ts';
import type { Article, CategoryTranslation, KnowledgeBase } from '../foundation/model.ts';
import { type Problem, type ProblemLocation, problem } from '../foundation/problems.ts';
import type { Source } from '../source/source.ts';

/**
 * Replaces credentials in titles, slugs, descriptions and tags before anything is planned, so that paths and pages of all kinds agree. The
 * content stage replaces those in bodies.
 * @param allowed fingerprints of strings that only look like credentials
 */
export function redactMetadata(source: Source, allowed: readonly string[]): Source {
  const problems: Problem[] = [];
  const clean = <T extends string | null>(text: T, place: string, location: ProblemLocation): T => {
    if (text === null) return text;
    const visible = feedText(text);
    const found = locateSecrets(visible, allowed);
    for (const one of found) {
      const { code, message } = describeSecret(one, place);
      problems.push(problem(code, message, location));
    }
    if (found.every(({ isSample }) => isSample)) return text;
    return redactText(visible, found) as T;
  };
  const cleanTexts = <T extends CategoryTranslation>(translation: T, record: ProblemLocation): T => {
    const location = { ...record, language: translation.language };
    const title = clean(translation.title, 'the title', location);
    const slug = clean(translation.slug, 'the slug', location);
    const description = clean(translation.description, 'the description', location);
    const isSame =
      title === translation.title && slug === translation.slug && description === translation.description;
    return isSame ? translation : { ...translation, title, slug, description };
  };
  const articles = source.knowledgeBase.articles.map((article): Article => {
    const before = problems.length;
    const location = { articleId: article.id };
    const translations = article.translations.map((translation) => {
      const { listTitle, sourcePath, aliases, fallbacks } = translation;
      const isClean = [listTitle, sourcePath, ...aliases].every(
        (text) => text === null || clean(text, 'the path', location) === text,
      );
      const rest = isClean
        ? { listTitle, sourcePath, aliases, fallbacks }
        : { listTitle: null, sourcePath: null, aliases: [], fallbacks: [] };
      return { ...cleanTexts(translation, location), ...rest };
    });
    const tags = article.tags.map((tag) => clean(tag, 'a tag', location));
    if (problems.length === before) return article;
    return { ...article, tags, translations };
  });
  const categories = source.knowledgeBase.categories.map((category) => ({
    ...category,
    translations: category.translations.map((one) => cleanTexts(one, { categoryId: category.id })),
  }));
  if (problems.length === 0) return source;
  const knowledgeBase: KnowledgeBase = { ...source.knowledgeBase, articles, categories };
  return { ...source, knowledgeBase, problems: [...source.problems, ...problems] };
}
