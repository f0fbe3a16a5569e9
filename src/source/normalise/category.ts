import { languageKey } from '../../foundation/language-tag.ts';
import type { CategoryTranslation, LanguageTag } from '../../foundation/model.ts';
import { type Problem, type ProblemCode, problem } from '../../foundation/problems.ts';
import { hasDamagedText } from '../decode-json.ts';
import {
  isRecord,
  type Report,
  readNumber,
  readString,
  readText,
  readTime,
  type UnknownRecord,
} from './fields.ts';
import { isSameLanguage, liveElements, type ReportIn } from './translations.ts';

/** A category before its parent is known to exist. */
export interface LooseCategory {
  readonly id: string;
  /** As the record says; may not exist. */
  readonly parentId: string | null;
  readonly sortOrder: number | null;
  readonly icon: string | null;
  readonly updatedAt: string | null;
  /** At least one; the default language first where it is there, then sorted by tag. */
  readonly translations: readonly CategoryTranslation[];
}

export interface NormalisedCategory {
  /** `null` for what cannot be named. */
  readonly category: LooseCategory | null;
  readonly problems: readonly Problem[];
}

/** Whether a text is an id that can be part of a URL, as a category's id does. */
export function isCategoryId(id: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(id);
}

/** Reads one category record leniently. */
export function normaliseCategory(value: unknown, defaultLanguage: LanguageTag): NormalisedCategory {
  if (!isRecord(value)) {
    return {
      category: null,
      problems: [problem('RECORD_NOT_AN_OBJECT', 'an entry of the list of categories is not an object')],
    };
  }
  const problems: Problem[] = [];
  const id = readString(value, 'category_id', () => {})?.trim() ?? '';
  if (!isCategoryId(id)) {
    const message = `${JSON.stringify(value.category_id)?.slice(0, 80) ?? 'a missing value'} is not a valid category id`;
    return { category: null, problems: [problem('CATEGORY_ID_INVALID', message)] };
  }
  const report: ReportIn = (code: ProblemCode, message: string, language = null) => {
    problems.push(problem(code, message, { categoryId: id, language }));
  };
  if (hasDamagedText(value)) {
    report('TEXT_DAMAGED', 'the record contains bytes that are not UTF-8; they were replaced by U+FFFD');
  }
  const translations = readCategoryTranslations(value, defaultLanguage, report);
  if (translations.length === 0) {
    report('CATEGORY_UNTITLED', 'the category has no title in any language');
    translations.push({ language: defaultLanguage, title: id, slug: null, description: null });
  }
  const category: LooseCategory = {
    id,
    parentId: readString(value, 'parent_category_id', report)?.trim() ?? null,
    sortOrder: readNumber(value, ['sort_order', 'order'], report),
    icon: readText(value, 'icon', report),
    updatedAt: readTime(value, 'updated_at', report),
    translations,
  };
  return { category, problems };
}

function readCategoryTranslations(
  record: UnknownRecord,
  defaultLanguage: LanguageTag,
  report: ReportIn,
): CategoryTranslation[] {
  const reportOwn: Report = (code, message) => report(code, message, defaultLanguage);
  const own = {
    title: readText(record, 'title', reportOwn),
    slug: readText(record, 'slug', reportOwn),
    description: readDescription(record, reportOwn),
  };
  const others = new Map<string, CategoryTranslation>();
  for (const { language, element } of liveElements(record, report)) {
    const reportHere: Report = (code, message) => report(code, message, language);
    const title = readText(element, 'title', reportHere);
    const slug = readText(element, 'slug', reportHere);
    const description = readDescription(element, reportHere);
    if (isSameLanguage(language, defaultLanguage)) {
      own.title ??= title;
      own.slug ??= slug;
      own.description ??= description;
    } else if (others.has(languageKey(language))) {
      report('DUPLICATE_TRANSLATION', `there is a second translation into ${language}`, language);
    } else if (title !== null) {
      others.set(languageKey(language), { language, title, slug: slug ?? own.slug, description });
    }
  }
  const sorted = [...others.values()].sort((a, b) => (a.language < b.language ? -1 : 1));
  const { title } = own;
  return title === null ? sorted : [{ language: defaultLanguage, ...own, title }, ...sorted];
}

/** One official example of the service calls the description of a translation `body`. */
function readDescription(record: UnknownRecord, report: Report): string | null {
  return readText(record, 'description', report) ?? readText(record, 'body', report);
}
