/** A JSON object whose fields are not checked yet. */
export type UnknownRecord = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is UnknownRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
