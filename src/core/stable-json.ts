import { isRecord } from './unknown-record.ts';

/**
 * JSON of a file that Git may track: a line for each field and for each member of a field that is an object, these sorted, so that the same
 * values give the same bytes and a diff shows which members changed.
 */
export function formatStable(fields: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(fields).map(
    ([name, value]) =>
      `  ${JSON.stringify(name)}: ${isRecord(value) ? formatMembers(value) : JSON.stringify(value)}`,
  );
  return `{\n${lines.join(',\n')}\n}\n`;
}

function formatMembers(members: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(members)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n  }`;
}
