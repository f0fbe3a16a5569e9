import type { ResolvedConfig } from '../core/config/schema.ts';
import type { Article, CategoryTranslation, KnowledgeBase } from '../core/model.ts';
import { type Problem, type ProblemLocation, problem } from '../core/problems.ts';
import { replaceSpans } from '../core/replace-spans.ts';
import { describeSecret, locateSecrets, redactText } from '../feed/guard/secrets.ts';
import { feedText } from '../feed/records/document-meta.ts';
import { createHiddenFinder, cutWord } from '../site/links/hidden-records.ts';
import type { Source } from '../source/source.ts';
import { documentSettings } from './render-settings.ts';

/**
 * Replaces credentials, and cuts what names a hidden record, in titles, slugs, descriptions and tags before anything is planned, so that paths
 * and pages of all kinds agree. The content stage does so in bodies.
 */
export function redactMetadata(source: Source, config: ResolvedConfig): Source {
  const { allowSecrets: allowed } = config.feed;
  const hidden = createHiddenFinder(documentSettings(config, source));
  const problems: Problem[] = [];
  const clean = <T extends string | null>(text: T, place: string, location: ProblemLocation): T => {
    if (text === null) return text;
    const given = feedText(text);
    const names = hidden.locate(given, 'words');
    for (const { articleId } of names) {
      problems.push(problem('LINK_TO_HIDDEN', `${place} ${hidden.describe(articleId)}`, location));
    }
    // Another slug is made from the title.
    if (names.length > 0 && place === 'the slug') return null as T;
    const visible = replaceSpans(given, names, () => cutWord);
    const found = locateSecrets(visible, allowed);
    for (const one of found) {
      const { code, message } = describeSecret(one, place);
      problems.push(problem(code, message, location));
    }
    if (names.length === 0 && found.every(({ isSample }) => isSample)) return text;
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
      const { listTitle, sourcePath, aliases } = translation;
      const isClean = [listTitle, sourcePath, ...aliases].every(
        (text) => text === null || clean(text, 'the path', location) === text,
      );
      const rest = isClean
        ? { listTitle, sourcePath, aliases }
        : { listTitle: null, sourcePath: null, aliases: [] };
      return { ...cleanTexts(translation, location), ...rest };
    });
    const tags = article.tags.map((tag) => clean(tag, 'a tag', location)).filter((tag) => tag !== cutWord);
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
