import { languageKey } from '../../core/language.ts';
import type { Article, LanguageTag } from '../../core/model.ts';
import { isRecord, type UnknownRecord } from '../../core/unknown-record.ts';
import { readTime } from './fields.ts';

/** The times of a record or translation; `invalid` if one cannot be read, or if it ends before it begins. */
type ScheduleTimes = { readonly fromMs: number; readonly untilMs: number } | 'invalid';

/** A record as it is at one time, without its schedule. */
export interface TimedRecord {
  readonly record: UnknownRecord;
  /** The next time at which the record or a translation becomes public or stops being public; `Infinity`: never. */
  readonly nextMs: number;
  /** When the languages stop being public, by their code as in the record; `''` is the record itself. */
  readonly unpublishAt: Readonly<Record<string, string>>;
}

/**
 * Applies `publish_at` and `unpublish_at`: outside of its schedule, an article is a draft and a translation is not live. If a time cannot be
 * read, visibility is unknown, and the article or translation is excluded and reported.
 */
export function applySchedule(record: UnknownRecord, nowMs: number): TimedRecord {
  const times: number[] = [];
  const unpublishAt: Record<string, string> = {};
  const apply = (part: UnknownRecord, flag: 'is_published' | 'is_live', language: string): UnknownRecord => {
    const schedule = readSchedule(part);
    if (schedule === 'invalid') return { ...part, [flag]: part[flag] === false ? false : 'invalid schedule' };
    const { fromMs, untilMs } = schedule;
    times.push(fromMs, untilMs);
    if (Number.isFinite(untilMs)) unpublishAt[language] = new Date(untilMs).toISOString();
    return fromMs > nowMs || untilMs <= nowMs ? { ...part, [flag]: false } : part;
  };
  const { multilingual } = record;
  const own = apply(record, 'is_published', '');
  const timed = Array.isArray(multilingual)
    ? {
        ...own,
        multilingual: multilingual.map((element: unknown) =>
          isRecord(element) ? apply(element, 'is_live', codeOf(element)) : element,
        ),
      }
    : own;
  return {
    record: timed,
    nextMs: Math.min(Number.POSITIVE_INFINITY, ...times.filter((time) => time > nowMs)),
    unpublishAt,
  };
}

/** The language code of an element, as in the record; `?`, which is none, if it is no text. */
function codeOf({ language_code: code }: UnknownRecord): string {
  return typeof code === 'string' && code !== '' ? code : '?';
}

/** When the languages of an article stop being public; empty if they do not. */
export function endsOf(
  { translations }: Article,
  unpublishAt: TimedRecord['unpublishAt'],
): { readonly unpublishAt?: Readonly<Record<LanguageTag, string>> } {
  const byKey = new Map(
    Object.entries(unpublishAt).map(([tag, time]) => [languageKey(tag.replaceAll('_', '-')), time]),
  );
  const ends = translations.flatMap(({ language }) => {
    const times = [unpublishAt[''], byKey.get(languageKey(language))].flatMap((time) => time ?? []);
    return times
      .sort()
      .slice(0, 1)
      .map((time) => [language, time] as const);
  });
  return ends.length === 0 ? {} : { unpublishAt: Object.fromEntries(ends) };
}

/** Whether the schedule of a record can be read. */
export function isScheduleValid(record: UnknownRecord): boolean {
  return readSchedule(record) !== 'invalid';
}

function readSchedule({ publish_at: publishAt, unpublish_at: unpublishAt }: UnknownRecord): ScheduleTimes {
  const fromMs = readMoment(publishAt) ?? Number.NEGATIVE_INFINITY;
  const untilMs = readMoment(unpublishAt) ?? Number.POSITIVE_INFINITY;
  // Comparisons with NaN are false.
  return fromMs < untilMs ? { fromMs, untilMs } : 'invalid';
}

/** Milliseconds since 1970; `null` if there is no time, `NaN` if it cannot be read. A time without zone is not a moment. */
export function readMoment(value: unknown): number | null {
  if (value === undefined || value === null) return null;
  const hasZone = typeof value === 'string' && /\d[ T]\d.*(?:Z|[+-]\d\d:?(?:\d\d)?)$/i.test(value.trim());
  const time = hasZone ? readTime({ value }, 'value', () => {}) : null;
  return time === null ? Number.NaN : Date.parse(time);
}
