import type { z } from '../schema.ts';
import { isRecord, numberOf } from '../unknown-record.ts';
import { type CategoryRecord, category } from './category.ts';

/** What a missing field means, if it is not what is empty: as the service itself fills it in. */
const meanings: Readonly<Record<string, unknown>> = { is_live: true, show_toc: true, status: 'draft' };

/**
 * Reads a record of a response leniently: a field that is missing or of another type is empty, and unknown fields are dropped. The first field
 * of the schema identifies the record: without it, and for no object, the result is `null`.
 */
export function parseRecord<T extends z.ZodObject>(schema: T, value: unknown): z.output<T> | null {
  if (!isRecord(value)) return null;
  const [first = ''] = Object.keys(schema.shape);
  if (!isPresent(schema.shape[first] as z.ZodType, value[first])) return null;
  const fields = Object.entries(schema.shape).map(
    ([name, field]) => [name, readField(name, field as z.ZodType, value[name])] as const,
  );
  return Object.fromEntries(fields.filter(([, read]) => read !== undefined)) as z.output<T>;
}

/** Like {@link parseRecord}, for a category; some clients write a translated description as `body`. */
export function parseCategory(value: unknown): CategoryRecord | null {
  if (!isRecord(value) || !Array.isArray(value.multilingual)) return parseRecord(category, value);
  const multilingual = value.multilingual.map((element: unknown) =>
    isRecord(element) && 'body' in element ? { description: element.body, ...element } : element,
  );
  return parseRecord(category, { ...value, multilingual });
}

function isPresent(schema: z.ZodType, value: unknown): boolean {
  const { type } = (schema as z.ZodString | z.ZodArray | z.ZodLiteral).def;
  if (type === 'string') return typeof value === 'string' && value !== '';
  return type === 'array' ? Array.isArray(value) : schema.safeParse(value).success;
}

/** @returns `undefined`: the record has no such field */
function readField(name: string, schema: z.ZodType, value: unknown): unknown {
  const { inner, empty } = unwrap(schema);
  const { type } = inner.def;
  if (type === 'array')
    return Array.isArray(value) ? readElements(inner as z.ZodArray, value) : empty === null ? null : [];
  const usual = name in meanings ? meanings[name] : empty;
  if (type === 'boolean') return typeof value === 'boolean' ? value : (usual ?? false);
  if (type === 'number') return numberOf(value) ?? (usual === undefined ? 0 : usual);
  if (type === 'enum') return inner.safeParse(value).success ? value : usual;
  // A time that cannot be read must not become `null`, which means that there is none.
  if (/publish_at$/.test(name) && value != null && typeof value !== 'string') return JSON.stringify(value);
  if (typeof value === 'string') return value;
  return schema.def.type === 'optional' || empty === null ? empty : '';
}

/** The schema of a value that is there, and what the field is without one. */
function unwrap(schema: z.ZodType): { readonly inner: z.ZodType; readonly empty: null | undefined } {
  let empty: null | undefined;
  let inner = schema;
  while (inner.def.type === 'optional' || inner.def.type === 'nullable') {
    if (inner.def.type === 'nullable') empty = null;
    inner = (inner as z.ZodOptional<z.ZodType> | z.ZodNullable<z.ZodType>).unwrap();
  }
  return { inner, empty };
}

/** Texts, or records; of several translations in one language, the first. */
function readElements(list: z.ZodArray, values: readonly unknown[]): readonly unknown[] {
  const element = list.element as z.ZodType;
  if (element.def.type !== 'object') return values.filter((value) => typeof value === 'string');
  const schema = element as z.ZodObject;
  const records = values.map((value) => parseRecord(schema, value)).filter((one) => one !== null);
  if (Object.keys(schema.shape)[0] !== 'language_code') return records;
  return [...new Map(records.toReversed().map((one) => [one.language_code, one])).values()].toReversed();
}
