import { hash } from 'node:crypto';
import { hasContent } from '../../content/has-content.ts';
import { fingerprintBlocks } from '../../core/block-fingerprints.ts';
import { isLanguageTag, languageKey, withKnownRegion } from '../../core/language.ts';
import type { ArticleBodies, ArticleTranslation, LanguageTag } from '../../core/model.ts';
import type { ProblemCode } from '../../core/problems.ts';
import { isRecord, type UnknownRecord } from '../../core/unknown-record.ts';
import { type Report, readList, readString, readText, readTime } from './fields.ts';
import { isScheduleValid } from './schedule.ts';
import { readLive } from './visibility.ts';

/** Reports a problem in one language of a record. */
export type ReportIn = (code: ProblemCode, message: string, language?: LanguageTag | null) => void;

interface Translations {
  /** The default language first if it exists, then sorted by tag. */
  readonly translations: readonly ArticleTranslation[];
  readonly bodies: ArticleBodies;
  /** Languages in which the record has texts that are not live, sorted. */
  readonly hidden: readonly LanguageTag[];
}

interface TextParts {
  title: string | null;
  slug: string | null;
  description: string | null;
  body: string | null;
  updatedAt: string | null;
}

/**
 * The public languages of an article. The record's own title and body are the default language; an element of `multilingual` for that
 * language only fills missing fields. A language counts if it has a title and a body. A translation without a slug gets the record's slug.
 */
export function readTranslations(
  record: UnknownRecord,
  defaultLanguage: LanguageTag,
  report: ReportIn,
): Translations {
  const own = readParts(record, (code, message) => report(code, message, defaultLanguage));
  const others = new Map<string, TextParts & { readonly language: LanguageTag }>();
  for (const { language, element } of liveElements(record, report)) {
    const reportHere: Report = (code, message) => report(code, message, language);
    const parts = readParts(element, reportHere);
    parts.updatedAt = readTime(element, 'updated_at', reportHere);
    if (isSameLanguage(language, defaultLanguage)) fill(own, parts);
    else if (others.has(languageKey(language))) {
      report('DUPLICATE_RECORD', `there is a second translation into ${language}`, language);
    } else others.set(languageKey(language), { language, ...parts });
  }
  const sorted = [...others.values()].sort((a, b) => (a.language < b.language ? -1 : 1));
  const selected = select([{ language: defaultLanguage, ...own }, ...sorted], own.slug, report);
  return { ...selected, hidden: hiddenLanguages(record, selected.translations) };
}

function hiddenLanguages(record: UnknownRecord, published: readonly ArticleTranslation[]): LanguageTag[] {
  const { multilingual } = record;
  if (!Array.isArray(multilingual)) return [];
  const seen = new Set(published.map(({ language }) => languageKey(language)));
  const hidden: LanguageTag[] = [];
  for (const element of multilingual as readonly unknown[]) {
    if (!isRecord(element) || readLive(element) !== 'hidden') continue;
    const language = [element.title, element.body].some(Boolean) ? readTag(element) : null;
    if (language === null || seen.has(languageKey(language))) continue;
    seen.add(languageKey(language));
    hidden.push(language);
  }
  return hidden.sort();
}

/** The language of an element of `multilingual`; `zh_CN` and `en-UK`, as many programs write them, become `zh-CN` and `en-GB`. `null` if it has none. */
function readTag({ language_code: code }: UnknownRecord): LanguageTag | null {
  const given = typeof code === 'string' ? code.trim() : '';
  const language = isLanguageTag(given) ? given : given.replaceAll('_', '-');
  return isLanguageTag(language) ? withKnownRegion(language) : null;
}

/** Elements of `multilingual` that are public and have a usable language. */
export function* liveElements(
  record: UnknownRecord,
  report: ReportIn,
): Generator<{ readonly language: LanguageTag; readonly element: UnknownRecord }> {
  for (const element of readList(record, 'multilingual', report)) {
    if (!isRecord(element)) {
      report('FIELD_INVALID', 'multilingual contains an entry that is not an object');
      continue;
    }
    const live = readLive(element);
    if (live === 'hidden') continue;
    const language = readTag(element);
    const given = element.language_code;
    if (language === null) {
      report(
        'LANGUAGE_INVALID',
        `${JSON.stringify(given)?.slice(0, 60) ?? 'a missing value'} is not a language tag`,
      );
    } else if (live === 'unknown') {
      const why = isScheduleValid(element)
        ? `is_live of ${language} is neither true nor false`
        : `publish_at and unpublish_at of ${language} cannot be read`;
      report('VISIBILITY_UNKNOWN', why, language);
    } else {
      if (language !== String(given).trim())
        report('LANGUAGE_NORMALISED', `${String(given).trim()} was read as ${language}`, language);
      yield { language, element };
    }
  }
}

/** Language tags are case-insensitive (RFC 5646, 2.1.1). */
export function isSameLanguage(a: LanguageTag, b: LanguageTag): boolean {
  return languageKey(a) === languageKey(b);
}

function readParts(record: UnknownRecord, report: Report): TextParts {
  return {
    title: readText(record, 'title', report),
    slug: readText(record, 'slug', report),
    description: readText(record, 'description', report),
    body: readShownBody(record, report),
    // The date of the record says when any of its languages was edited.
    updatedAt: null,
  };
}

/** The body of a text; `null` if it shows nothing. */
export function readShownBody(record: UnknownRecord, report: Report): string | null {
  const body = readString(record, 'body', report);
  return body === null || !hasContent(body) ? null : body;
}

function fill(own: TextParts, other: TextParts): void {
  own.title ??= other.title;
  own.slug ??= other.slug;
  own.description ??= other.description;
  own.body ??= other.body;
  own.updatedAt ??= other.updatedAt;
}

function select(
  candidates: readonly (TextParts & { readonly language: LanguageTag })[],
  ownSlug: string | null,
  report: ReportIn,
): Omit<Translations, 'hidden'> {
  const translations: ArticleTranslation[] = [];
  const bodies = new Map<LanguageTag, string>();
  for (const { language, title, slug, description, body, updatedAt } of candidates) {
    if (title !== null && body !== null) {
      const bodyHash = hash('sha256', body);
      const blockFingerprints = fingerprintBlocks(body);
      translations.push({
        language,
        title,
        slug: slug ?? ownSlug,
        description,
        updatedAt,
        bodyHash,
        blockFingerprints,
        listTitle: null,
        sourcePath: null,
        aliases: [],
        file: null,
      });
      bodies.set(language, body);
    } else if (title !== null || body !== null) {
      report('TRANSLATION_INCOMPLETE', `${language} has no ${title === null ? 'title' : 'body'}`, language);
    }
  }
  return { translations, bodies };
}
