import { keysOfSlug } from '../../core/hidden-names.ts';
import type { Article, ArticleBodies, ExclusionReason, LanguageTag } from '../../core/model.ts';
import { type Problem, type ProblemCode, problem } from '../../core/problems.ts';
import { hyphenate } from '../../core/slug.ts';
import { isRecord, type UnknownRecord } from '../../core/unknown-record.ts';
import { hasDamagedText, readFlag, readNumber, readString, readTexts, readTime } from './fields.ts';
import { isScheduleValid } from './schedule.ts';
import { type ReportIn, readShownBody, readTranslations } from './translations.ts';
import { findHidingField, readLive, readVisibility } from './visibility.ts';

/** Result of normalising a record with a valid id. */
export type NormalisedArticle =
  /** `article.categoryId` may not exist. */
  | {
      readonly kind: 'public';
      readonly article: Article;
      readonly bodies: ArticleBodies;
      /** Languages of the record that are not published. */
      readonly hidden: readonly LanguageTag[];
      /** Keys of the names of these languages (`hidden-names.ts`). */
      readonly hiddenNames: readonly string[];
      readonly problems: readonly Problem[];
    }
  | {
      readonly kind: 'excluded';
      readonly reason: ExclusionReason;
      readonly updatedAt: string | null;
      /** Keys of its names (`hidden-names.ts`). */
      readonly hiddenNames: readonly string[];
      readonly problems: readonly Problem[];
    };

const articleIdPattern = /^[a-zA-Z0-9]{10}$/;

/** Whether a text is an article id (interface document: `[a-zA-Z0-9]{10}`). */
export function isArticleId(id: unknown): id is string {
  return typeof id === 'string' && articleIdPattern.test(id);
}

/** Why an entry of a list is not an article with a valid id. */
export function describeInvalid(value: unknown): Problem {
  if (!isRecord(value)) return problem('ID_INVALID', 'an entry of the list of articles is not an object');
  const shown = JSON.stringify(value.article_id)?.slice(0, 60) ?? 'a missing value';
  return problem('ID_INVALID', `${shown} is not a valid article id`);
}

/**
 * Reads one record leniently, but its visibility strictly. Of a record that is not public, only the reason and the keys of its names are
 * returned.
 * @param record with a valid id ({@link isArticleId})
 */
export function normaliseArticle(record: UnknownRecord, defaultLanguage: LanguageTag): NormalisedArticle {
  const id = record.article_id as string;
  const visibility = readVisibility(record);
  if (visibility === 'public') return readPublicArticle(record, id, defaultLanguage);
  return {
    kind: 'excluded',
    reason: visibility,
    updatedAt: readTime(record, 'updated_at', () => {}),
    hiddenNames: textsOf(record).flatMap(namesOf),
    problems: visibility === 'visibility-unknown' ? [describeVisibility(record, id)] : [],
  };
}

function readPublicArticle(
  record: UnknownRecord,
  id: string,
  defaultLanguage: LanguageTag,
): NormalisedArticle {
  const problems: Problem[] = [];
  const report: ReportIn = (code: ProblemCode, message: string, language = null) => {
    problems.push(problem(code, message, { articleId: id, language }));
  };
  if (hasDamagedText(record)) {
    report('TEXT_DAMAGED', 'the record contains U+FFFD, which stands for bytes that were not UTF-8');
  }
  const { translations, bodies, hidden } = readTranslations(record, defaultLanguage, report);
  const updatedAt = readTime(record, 'updated_at', report);
  if (translations.length === 0) {
    const texts = textsOf(record);
    const hasTitle = texts.some((text) => readString(text, 'title', () => {}) !== null);
    const hasBody = texts.some((text) => readShownBody(text, () => {}) !== null);
    report(
      'ARTICLE_NOT_PUBLISHABLE',
      hasTitle && !hasBody
        ? 'there is a title but no text below it'
        : 'no language has both a title and a body',
    );
    const hiddenNames = texts.flatMap(namesOf);
    return { kind: 'excluded', reason: 'no-content', updatedAt, hiddenNames, problems };
  }
  const article: Article = {
    id,
    categoryId: readString(record, 'category_id', report),
    tags: readTexts(record, record.tags === undefined ? 'keywords' : 'tags', report),
    createdAt: readTime(record, 'created_at', report),
    updatedAt,
    isFeatured: readFlag(record, 'is_featured', false, report),
    sortOrder: readNumber(record, ['sort_order', 'order'], report),
    showToc: readFlag(record, 'show_toc', true, report),
    isListed: true,
    replaces: {},
    translations,
  };
  const others = textsOf(record).filter((text) => text !== record && readLive(text) !== 'live');
  return { kind: 'public', article, bodies, hidden, hiddenNames: others.flatMap(namesOf), problems };
}

/** The record itself and its translations. */
function textsOf(record: UnknownRecord): readonly UnknownRecord[] {
  const elements: readonly unknown[] = Array.isArray(record.multilingual) ? record.multilingual : [];
  return [record, ...elements].filter(isRecord);
}

/** Keys of what a URL of a text may contain: its slug, also the one that is made from a title. */
export function namesOf(text: UnknownRecord): readonly string[] {
  const read = (field: string): string => readString(text, field, () => {}) ?? '';
  return [...new Set([read('slug'), hyphenate(read('title'))].flatMap(keysOfSlug))];
}

function describeVisibility(record: UnknownRecord, id: string): Problem {
  const hiding = findHidingField(record);
  if (hiding !== null)
    return problem('VISIBILITY_UNKNOWN', `${hiding} may say that the article is not public`, {
      articleId: id,
    });
  const fields = isScheduleValid(record)
    ? ['is_published', 'is_private', 'permission_groups'].filter((field) => !isKnown(field, record[field]))
    : ['publish_at', 'unpublish_at'];
  return problem('VISIBILITY_UNKNOWN', `${fields.join(' and ')} cannot be read`, { articleId: id });
}

function isKnown(field: string, value: unknown): boolean {
  if (field !== 'permission_groups') return typeof value === 'boolean';
  return value === undefined || value === null || Array.isArray(value);
}
