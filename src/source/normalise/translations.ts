import { hash } from 'node:crypto';
import { hasContent } from '../../content/has-content.ts';
import { fingerprintBlocks } from '../../core/block-fingerprints.ts';
import { isLanguageTag, languageKey, withKnownRegion } from '../../core/language.ts';
import type { ArticleBodies, ArticleTranslation, LanguageTag } from '../../core/model.ts';
import type { ProblemCode } from '../../core/problems.ts';
import { isRecord, type UnknownRecord } from '../../core/unknown-record.ts';
import { type Report, readList, readString, readText, readTime } from './fields.ts';
import { isScheduleValid } from './schedule.ts';
import { findHidingField, readLive } from './visibility.ts';

/** Reports a problem in one language of a record. */
export type ReportIn = (code: ProblemCode, message: string, language?: LanguageTag | null) => void;

interface Translations {
  /** The default language first if it exists, then sorted by tag. */
  readonly translations: readonly ArticleTranslation[];
  readonly bodies: ArticleBodies;
  /** Languages in which the record has texts that are not live, sorted. */
  readonly hidden: readonly LanguageTag[];
}

type TextParts = Readonly<Record<'title' | 'slug' | 'description' | 'body' | 'updatedAt', string | null>>;

/**
 * The public languages of an article. The record's own title and body are the default language; an element of `multilingual` for that
 * language only fills missing fields. A language counts if it has a title and a body. A translation without a slug gets the record's slug.
 */
export function readTranslations(
  record: UnknownRecord,
  defaultLanguage: LanguageTag,
  report: ReportIn,
): Translations {
  const read = (part: UnknownRecord, reportHere: Report): TextParts => ({
    title: readText(part, 'title', reportHere),
    slug: readText(part, 'slug', reportHere),
    description: readText(part, 'description', reportHere),
    body: readShownBody(part, reportHere),
    // The date of the record says when any of its languages was edited.
    updatedAt: part === record ? null : readTime(part, 'updated_at', reportHere),
  });
  const selected = select(readLanguages(record, defaultLanguage, report, read), report);
  return { ...selected, hidden: hiddenLanguages(record, selected.translations) };
}

/** The texts of a record in one language; `null` is a missing text. */
type LanguageTexts = Readonly<Record<string, string | null>>;

/**
 * The texts of a record in its public languages, complete or not: the default language first, then sorted by tag. An element of `multilingual`
 * for the default language only fills what the record itself lacks.
 * @param read reads the texts of the record, or of an element
 * @param isUsable whether texts of another language are a translation; a later element may be one instead
 */
export function readLanguages<T extends LanguageTexts>(
  record: UnknownRecord,
  defaultLanguage: LanguageTag,
  report: ReportIn,
  read: (part: UnknownRecord, report: Report) => T,
  isUsable: (texts: T) => boolean = () => true,
): readonly [InLanguage<T>, ...InLanguage<T>[]] {
  const readIn = (part: UnknownRecord, language: LanguageTag): InLanguage<T> => ({
    language,
    ...read(part, (code, message) => report(code, message, language)),
  });
  let own = readIn(record, defaultLanguage);
  const others = new Map<string, InLanguage<T>>();
  for (const { language, element } of liveElements(record, report)) {
    const texts = readIn(element, language);
    const key = languageKey(language);
    if (key === languageKey(defaultLanguage)) own = withFilled(own, texts);
    else if (others.has(key))
      report('DUPLICATE_RECORD', `there is a second translation into ${language}`, language);
    else if (isUsable(texts)) others.set(key, texts);
  }
  return [own, ...[...others.values()].sort((a, b) => (a.language < b.language ? -1 : 1))];
}

type InLanguage<T> = T & { readonly language: LanguageTag };

function withFilled<T extends LanguageTexts>(own: T, others: T): T {
  const filled = Object.entries(own).map(([field, text]) => [field, text ?? others[field] ?? null]);
  return Object.fromEntries(filled) as T;
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
function* liveElements(
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
      const hiding = findHidingField(element);
      const flag = ['is_live', 'is_published', 'is_private'].find(
        (name) => element[name] !== undefined && typeof element[name] !== 'boolean',
      );
      const unread = !isScheduleValid(element)
        ? `publish_at and unpublish_at of ${language} cannot be read`
        : flag === undefined
          ? `permission_groups of ${language} cannot be read`
          : `${flag} of ${language} is neither true nor false`;
      const why = hiding === null ? unread : `${hiding} may say that ${language} is not public`;
      report('VISIBILITY_UNKNOWN', why, language);
    } else {
      if (language !== String(given).trim())
        report('LANGUAGE_NORMALISED', `${String(given).trim()} was read as ${language}`, language);
      yield { language, element };
    }
  }
}

/** The body of a text; `null` if it shows nothing. */
export function readShownBody(record: UnknownRecord, report: Report): string | null {
  const body = readString(record, 'body', report);
  return body === null || !hasContent(body) ? null : body;
}

function select(
  candidates: readonly [InLanguage<TextParts>, ...InLanguage<TextParts>[]],
  report: ReportIn,
): Omit<Translations, 'hidden'> {
  const [{ slug: ownSlug }] = candidates;
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
