import { orNull } from './errors.ts';

/** A JSON object whose fields are not checked yet. */
export type UnknownRecord = Readonly<Record<string, unknown>>;

/** A finite number, also one in quotes, as databases give large numbers; `null` for other values. */
export function numberOf(value: unknown): number | null {
  const isWritten = typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value);
  const number = isWritten ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** The value of a JSON text; `null` if the text is not JSON. */
export function parseJsonOrNull(text: string): unknown {
  return orNull(() => JSON.parse(text));
}

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is UnknownRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
