import type { HeaderRule } from '../../site/headers-file.ts';
import type { HostFiles, RecordRule, RedirectRule, RedirectTable } from '../redirect-table.ts';

/** Parts of a Caddyfile to import into a site's block. What exists is served before a rule is looked at. */
export function writeCaddy(
  { basePath, rules, records }: RedirectTable,
  headers: readonly HeaderRule[],
): HostFiles {
  const exact = rules.filter(({ origin }) => origin !== 'old-address');
  const byKind = (isPermanent: boolean) =>
    exact.flatMap((rule) =>
      rule.to !== null && rule.isPermanent === isPermanent ? exactLines(rule, rule.to) : [],
    );
  const gone = exact.flatMap((rule) => (rule.to === null ? exactLines(rule, 'gone') : []));
  const recordKey = records.length === 0 ? '' : map('{path}', 'record', [recordPattern(basePath)]);
  const content = [
    '# Import this file into the block of the site, beside its root and file_server.\n',
    block('{path}', 'moved', byKind(true), 'redir @lectern_moved {lectern_moved} permanent'),
    block('{path}', 'elsewhere', byKind(false), 'redir @lectern_elsewhere {lectern_elsewhere} temporary'),
    block('{path}', 'gone', gone, 'error @lectern_gone 410'),
    recordKey,
    block(
      '{lectern_record}',
      'old',
      records.flatMap(recordLines),
      'redir @lectern_old {lectern_old} permanent',
    ),
    headers.map(headerBlock).join(''),
  ];
  return {
    files: [{ path: 'hosting/Caddyfile', content: content.filter((part) => part !== '').join('\n') }],
    limits: [],
  };
}

function exactLines({ from }: RedirectRule, to: string): string[] {
  return [`${quote(from)} ${quote(to)}`, `${quote(`${from}/`)} ${quote(to)}`];
}

/** Kind, id and language of an address of the old help centre, in one word. */
function recordPattern(basePath: string): string {
  const base = basePath.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const pattern = `~^${base}/(?:l/([^/]+)/)?(article|category)/([A-Za-z0-9]{10})(?:-[^/]*)?/?$`;
  return `\`${pattern}\` "\${2}/\${3}/\${1}"`;
}

/** A language the record is not translated into leads where no language leads. */
function recordLines({ kind, id, to, toByLanguage }: RecordRule): string[] {
  return [
    ...[...toByLanguage].map(
      ([language, target]) => `${quote(`${kind}/${id}/${language}`)} ${quote(target)}`,
    ),
    `${quote(`~^${kind}/${id}/`)} ${quote(to)}`,
  ];
}

/** A table and what is done with a path that it knows and that is no file; nothing for an empty table. */
function block(source: string, name: string, lines: readonly string[], action: string): string {
  if (lines.length === 0) return '';
  const matcher = `@lectern_${name} {
\tnot file {path} {path}/index.html
\texpression \`{lectern_${name}} != ""\`
}
`;
  return `${map(source, name, lines)}${matcher}${action}\n`;
}

function map(source: string, name: string, lines: readonly string[]): string {
  return `map ${source} {lectern_${name}} {\n${lines.map((line) => `\t${line}\n`).join('')}\tdefault ""\n}\n`;
}

function headerBlock([pattern, values]: HeaderRule): string {
  const lines = Object.entries(values).map(([name, value]) => `\t${name} ${quote(value)}\n`);
  return `header ${pattern} {\n${lines.join('')}}\n`;
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '\\"')}"`;
}
