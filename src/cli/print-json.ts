import { writeOutput } from './terminal.ts';

/**
 * Prints a value as JSON to stdout. `fields` (`title,slug`) keeps only these of a record, or of each record of a list,
 * in the order they are named.
 */
export function printJson(value: unknown, fields?: string): void {
  const names = fields?.split(',').map((name) => name.trim());
  const picked =
    names === undefined
      ? value
      : Array.isArray(value)
        ? value.map((item) => pick(item, names))
        : pick(value, names);
  writeOutput(`${JSON.stringify(picked, null, 2)}\n`);
}

function pick(record: unknown, names: readonly string[]): unknown {
  if (typeof record !== 'object' || record === null) return record;
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(record, name)).map((name) => [name, Reflect.get(record, name)]),
  );
}
