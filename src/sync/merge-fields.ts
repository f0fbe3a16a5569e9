import { type Comparable, type Fingerprint, hashFieldsOf } from './comparable.ts';

/** Hashes from the time when both sides last agreed. */
export interface AgreedRecord {
  readonly service: Fingerprint;
  /** Hashes of fields in the files that differed from the service: Markdown renders to other HTML than the service has. */
  readonly files?: Fingerprint | undefined;
}

/** One field of a record in one language, and which side changed it since both agreed. */
export interface MergedField {
  /** `null` for the record itself. */
  readonly language: string | null;
  readonly field: string;
  /** `both`: to different values, or the sides never agreed on one. */
  readonly changedBy: 'nobody' | 'folder' | 'service' | 'both';
}

type ChangedBy = MergedField['changedBy'];

/** A record of both sides. */
interface MergeInput {
  /** The record as in the files; a Markdown body is rendered to HTML. */
  readonly written: Comparable;
  /** Like `written`, but with the service's body if the Markdown equals what a pull makes of it. Called if files were edited. */
  readonly withServiceBodies: () => Comparable;
  readonly remote: Comparable;
  /** `null` if the sides never agreed. */
  readonly agreed: AgreedRecord | null;
}

/**
 * Three-way comparison of every field in every language; pure. A translation that one side removed counts as changed by that side as a
 * whole.
 */
export function mergeFields({
  written,
  withServiceBodies,
  remote,
  agreed,
}: MergeInput): readonly MergedField[] {
  const theirs = hashFieldsOf(remote);
  const files = hashFieldsOf(written);
  const unedited = agreed === null ? null : uneditedFields(files, agreed);
  const ours =
    agreed !== null && unedited?.isWhole === true
      ? agreed.service
      : overlay(hashFieldsOf(withServiceBodies()), unedited?.fields ?? {});
  const languages = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])].sort();
  return languages.flatMap((code) => {
    const language = code === '' ? null : code;
    const [own, other, before] = [ours[code], theirs[code], agreed?.service[code]];
    if (own === undefined || other === undefined) {
      const changedBy = whoRemoved(own, other, before, agreed === null);
      return fieldsOf(written, remote, language).map((field) => ({ language, field, changedBy }));
    }
    return fieldsOf(written, remote, language).map((field) => {
      const isEqual = own[field] === other[field];
      const changedBy = isEqual ? 'nobody' : whoChanged(field, own, other, before);
      return { language, field, changedBy };
    });
  });
}

/** The target with every field that `by` changed taken from the source. */
export function takeFields(
  target: Comparable,
  source: Comparable,
  fields: readonly MergedField[],
  by: 'folder' | 'service' | 'both',
): Comparable {
  const own = { ...target.fields };
  const translations = { ...target.translations };
  for (const { language, field, changedBy } of fields) {
    if (changedBy !== by) continue;
    if (language === null) own[field] = source.fields[field];
    else if (source.translations[language] === undefined) delete translations[language];
    else {
      const value = source.translations[language]?.[field];
      translations[language] = { ...translations[language], [field]: value };
    }
  }
  return { fields: own, translations };
}

/**
 * The agreed state after a push or a pull. A field that only the other command transfers, or that both sides changed, keeps its agreed
 * value.
 * @param fields result of the comparison; empty: everything was transferred
 * @param carried the side whose changes were transferred
 */
export function agreeOn(
  before: AgreedRecord | null,
  fields: readonly MergedField[],
  carried: 'folder' | 'service',
  now: { readonly written: Comparable; readonly remote: Comparable },
): AgreedRecord {
  const service = hashFieldsOf(now.remote);
  const files = hashFieldsOf(now.written);
  for (const { language, field, changedBy } of fields) {
    if (changedBy === 'nobody' || changedBy === carried) continue;
    restore(service, before?.service ?? {}, language ?? '', field);
    restore(files, before === null ? {} : agreedFiles(before), language ?? '', field);
  }
  const differing = Object.entries(service).flatMap(([language, own]) => {
    const said = files[language];
    if (said === undefined) return [];
    const names = [...new Set([...Object.keys(own), ...Object.keys(said)])];
    const rest = names.filter((name) => own[name] !== said[name]).map((name) => [name, said[name] ?? '']);
    return rest.length === 0 ? [] : [[language, Object.fromEntries(rest)]];
  });
  return differing.length === 0 ? { service } : { service, files: Object.fromEntries(differing) };
}

/** Fields of the files from the time when both sides agreed. */
export function agreedFiles({ service, files = {} }: AgreedRecord): Fingerprint {
  return overlay(service, files);
}

/** The fields that did not change in the files, with the agreed hash of the service. */
function uneditedFields(files: Fingerprint, agreed: AgreedRecord) {
  const { service, files: said = {} } = agreed;
  const fields: Fingerprint = {};
  const expected = agreedFiles(agreed);
  let isWhole = Object.keys(expected).length === Object.keys(files).length;
  for (const [language, own] of Object.entries(files)) {
    const before = expected[language];
    if (before === undefined) isWhole = false;
    for (const field of new Set([...Object.keys(own), ...Object.keys(before ?? {})])) {
      if (before === undefined || own[field] !== before[field]) isWhole = false;
      else if (said[language]?.[field] !== undefined)
        fields[language] = { ...fields[language], [field]: service[language]?.[field] ?? '' };
    }
  }
  return { fields, isWhole };
}

/** Replaces the hashes that `over` contains; `''` means no value. */
function overlay(under: Fingerprint, over: Fingerprint): Fingerprint {
  const result = { ...under };
  for (const [language, fields] of Object.entries(over)) {
    if (result[language] === undefined) continue;
    const merged = { ...result[language], ...fields };
    result[language] = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== ''));
  }
  return result;
}

function restore(now: Fingerprint, before: Fingerprint, language: string, field: string): void {
  const old = before[language];
  if (old === undefined) {
    delete now[language];
    return;
  }
  const { [field]: _, ...rest } = now[language] ?? {};
  now[language] = old[field] === undefined ? rest : { ...rest, [field]: old[field] };
}

/** Hashes of the fields of a record in one language. */
type FieldHashes = Readonly<Fingerprint[string]>;

function whoChanged(field: string, own: FieldHashes, other: FieldHashes, before?: FieldHashes): ChangedBy {
  if (before === undefined) return 'both';
  if (own[field] === before[field]) return 'service';
  return other[field] === before[field] ? 'folder' : 'both';
}

/** Which side added or removed a translation that only one side has. */
function whoRemoved(
  own: FieldHashes | undefined,
  other: FieldHashes | undefined,
  before: FieldHashes | undefined,
  isUnknown: boolean,
): ChangedBy {
  if (isUnknown) return 'both';
  if (before === undefined) return own === undefined ? 'service' : 'folder';
  const rest = Object.entries((own ?? other) as FieldHashes);
  const isUnedited =
    rest.length === Object.keys(before).length && rest.every(([field, value]) => before[field] === value);
  if (!isUnedited) return 'both';
  return own === undefined ? 'folder' : 'service';
}

function fieldsOf(local: Comparable, remote: Comparable, language: string | null): readonly string[] {
  const of = ({ fields, translations }: Comparable) =>
    Object.keys((language === null ? fields : translations[language]) ?? {});
  return [...new Set([...of(local), ...of(remote)])];
}
