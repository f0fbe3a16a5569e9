import type { HeaderRule } from '../../pages/headers-file.ts';
import {
  type HostFiles,
  type RecordRule,
  type RedirectRule,
  type RedirectTable,
  unusualIds,
} from '../redirect-table.ts';

/** Parts of a Caddyfile to import into a site's block. Existing files are served before any rule applies. */
export function writeCaddy(table: RedirectTable, headers: readonly HeaderRule[]): HostFiles {
  const content = joinParts(parts(table, headers));
  return { files: [{ path: 'hosting/Caddyfile', content }], limits: () => [] };
}

function* parts(
  { basePath, exact, records }: RedirectTable,
  headers: readonly HeaderRule[],
): Generator<Iterable<string>> {
  const byKind = (isPermanent: boolean) =>
    exact.flatMap((rule) => (rule.isPermanent === isPermanent ? exactLines(rule, rule.to) : []));
  yield ['# Import this file into the block of the site, beside its root and file_server.\n'];
  yield block('{path}', 'moved', byKind(true), 'redir @lectern_moved {lectern_moved} permanent');
  yield block('{path}', 'elsewhere', byKind(false), 'redir @lectern_elsewhere {lectern_elsewhere} temporary');
  yield recordKey(records, basePath);
  yield block(
    '{lectern_record}',
    'old',
    allRecordLines(records),
    'redir @lectern_old {lectern_old} permanent',
  );
  yield headers.map(headerBlock);
}

/** Joins parts with an empty line between them; omits empty parts. */
function* joinParts(parts: Iterable<Iterable<string>>): Generator<string> {
  let separator = '';
  for (const part of parts) {
    let isEmpty = true;
    for (const text of part) {
      if (text === '') continue;
      if (isEmpty) yield separator;
      yield text;
      isEmpty = false;
    }
    if (!isEmpty) separator = '\n';
  }
}

function exactLines({ from }: RedirectRule, to: string): string[] {
  return [`${quote(from)} ${quote(to)}`, `${quote(`${from}/`)} ${quote(to)}`];
}

function* recordKey(records: Iterable<RecordRule>, basePath: string): Generator<string> {
  for (const _ of records) {
    const unusual = unusualIds(records).map((id) => recordPattern(basePath, 'category', id));
    const usual = recordPattern(basePath, 'article|category', '[A-Za-z0-9]{10}');
    yield* map('{path}', 'record', [...unusual, usual]);
    return;
  }
}

function* allRecordLines(records: Iterable<RecordRule>): Generator<string> {
  for (const record of records) yield* recordLines(record);
}

/** Matches kind, id and language of a legacy URL. */
function recordPattern(basePath: string, kinds: string, id: string): string {
  const base = basePath.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const pattern = `~^${base}/(?:l/([^/]+)/)?(${kinds})/(${id})(?:-[^/]*)?/?$`;
  return `\`${pattern}\` "\${2}/\${3}/\${1}"`;
}

/** A URL in a language without translation redirects like a URL without language. */
function recordLines({ kind, id, to, toByLanguage }: RecordRule): string[] {
  return [
    ...[...toByLanguage].map(
      ([language, target]) => `${quote(`${kind}/${id}/${language}`)} ${quote(target)}`,
    ),
    `${quote(`~^${kind}/${id}/`)} ${quote(to)}`,
  ];
}

/** A table, and the handler for a path that is in the table and is not a file; nothing for an empty table. */
function* block(source: string, name: string, lines: Iterable<string>, action: string): Generator<string> {
  let isEmpty = true;
  for (const text of map(source, name, lines)) {
    isEmpty = false;
    yield text;
  }
  if (isEmpty) return;
  yield `@lectern_${name} {
\tnot file {path} {path}/index.html
\texpression \`{lectern_${name}} != ""\`
}
${action}\n`;
}

/** Nothing for an empty table. */
function* map(source: string, name: string, lines: Iterable<string>): Generator<string> {
  let isEmpty = true;
  for (const line of lines) {
    if (isEmpty) yield `map ${source} {lectern_${name}} {\n`;
    yield `\t${line}\n`;
    isEmpty = false;
  }
  if (!isEmpty) yield '\tdefault ""\n}\n';
}

function headerBlock([pattern, values]: HeaderRule): string {
  const lines = Object.entries(values).map(([name, value]) => `\t${name} ${quote(value)}\n`);
  return `header ${pattern} {\n${lines.join('')}}\n`;
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '\\"')}"`;
}
