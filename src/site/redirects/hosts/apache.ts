import type { HeaderRule } from '../../pages/headers-file.ts';
import type { HostFiles, RecordRule, RedirectRule, RedirectTable } from '../redirect-table.ts';

/** `.htaccess` for Apache with mod_rewrite and mod_headers. Existing files are served before any rule applies. */
export function writeApache(table: RedirectTable, headers: readonly HeaderRule[]): HostFiles {
  return { files: [{ path: '.htaccess', content: content(table, headers) }], limits: () => [] };
}

function* content({ basePath, exact, records }: RedirectTable, headers: readonly HeaderRule[]) {
  yield `DirectoryIndex index.html
ErrorDocument 404 ${basePath}/404.html

<IfModule mod_rewrite.c>
RewriteEngine On
RewriteCond %{REQUEST_FILENAME} -f [OR]
RewriteCond %{REQUEST_FILENAME}/index.html -f
RewriteRule ^ - [L]
`;
  for (const rule of exact) yield `${exactRule(rule, basePath)}\n`;
  for (const record of records) for (const line of recordRules(record)) yield `${line}\n`;
  yield `</IfModule>

${headers.map(contentType).join('')}
<IfModule mod_headers.c>
${headers.map(headerBlock).join('')}</IfModule>
`;
}

function exactRule({ from, to, isPermanent }: RedirectRule, basePath: string): string {
  const path = from.slice(basePath.length + 1);
  return rewrite(`^${escapePattern(path)}/?$`, to, isPermanent);
}

function recordRules({ kind, id, to, toByLanguage }: RecordRule): string[] {
  const forms = `${kind}/${id}(?:-[^/]*)?/?$`;
  return [
    ...[...toByLanguage].map(([language, target]) => rewrite(`^l/${language}/${forms}`, target, true)),
    rewrite(`^(?:l/[^/]+/)?${forms}`, to, true),
  ];
}

/** Escapes `%` in a URL, because `%1` would refer to a group of the match. */
function rewrite(pattern: string, to: string, isPermanent: boolean): string {
  return `RewriteRule "${pattern}" "${to.replaceAll('%', '\\%')}" [R=${isPermanent ? 301 : 302},L,NE]`;
}

/** Types are set with AddType: a Content-Type header would be added to Apache's own. */
function contentType([pattern, { 'Content-Type': type }]: HeaderRule): string {
  return type === undefined ? '' : `AddType "${type}" ${pattern.slice(pattern.lastIndexOf('.'))}\n`;
}

function headerBlock([pattern, { 'Content-Type': _type, ...values }]: HeaderRule): string {
  const lines = Object.entries(values).map(
    ([name, value]) => `  Header always set ${name} "${value.replaceAll('"', '\\"')}"\n`,
  );
  const expression = `^${escapePattern(pattern).replaceAll('\\*', '.*')}$`;
  return lines.length === 0 ? '' : `<If "%{REQUEST_URI} =~ m#${expression}#">\n${lines.join('')}</If>\n`;
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|"#]/g, '\\$&');
}
