import type { HeaderRule } from '../../site/headers-file.ts';
import type { HostFiles, RecordRule, RedirectTable } from '../redirect-table.ts';

/** Longest text nginx's tables take without being told to make room. */
const defaultBucketBytes = 64;

/** What a table needs besides the text itself: pointer, length, alignment. */
const bucketOverheadBytes = 24;

/**
 * Two files to include: tables for the `http` block and locations for the `server` block. Tables are looked up by
 * hash, so that ten thousand redirects cost no more than ten; what exists is served before one is looked at.
 */
export function writeNginx(table: RedirectTable, headers: readonly HeaderRule[]): HostFiles {
  return {
    files: [
      { path: 'hosting/nginx/http.conf', content: httpBlock(table, headers) },
      { path: 'hosting/nginx/server.conf', content: serverBlock(table.basePath, headers) },
    ],
    limits: [],
  };
}

function httpBlock({ basePath, rules, records }: RedirectTable, headers: readonly HeaderRule[]): string {
  const exact = rules.filter(({ origin }) => origin !== 'old-address');
  const targets = (isPermanent: boolean) =>
    exact.flatMap((rule) =>
      rule.to !== null && rule.isPermanent === isPermanent ? [[rule.from, rule.to] as const] : [],
    );
  const gone = exact.flatMap((rule) => (rule.to === null ? [[rule.from, '1'] as const] : []));
  const general = records.map((record) => [`${record.kind}/${record.id}`, record.to] as const);
  const byLanguage = records.flatMap(languageEntries);
  const tables = [targets(true), targets(false), gone, general, byLanguage];
  const oldAddress = `~^${escapePattern(basePath)}/(?:l/(?<lectern_language>[^/]+)/)?(?<lectern_record>(?:article|category)/[A-Za-z0-9]{10})(?:-[^/]*)?$`;
  return [
    '# Include this file in the http block; drop the next two lines if it has larger values already.\n',
    room(tables.flat()),
    map('$uri', '$lectern_path', [['~^(?<lectern_bare>/.*?)/*$', '$lectern_bare']]),
    map('$lectern_path', '$lectern_moved', targets(true)),
    map('$lectern_path', '$lectern_elsewhere', targets(false)),
    map('$lectern_path', '$lectern_gone', gone),
    '# Addresses of the old help centre, by the id in them.\n',
    map('$lectern_path', '$lectern_key', [[oldAddress, '$lectern_record']]),
    map('$lectern_path', '$lectern_key_language', [[oldAddress, '$lectern_record/$lectern_language']]),
    map('$lectern_key', '$lectern_old_general', general),
    map('$lectern_key_language', '$lectern_old_language', byLanguage),
    map('$lectern_old_language', '$lectern_old', [['~.', '$lectern_old_language']], '$lectern_old_general'),
    '# Headers by path; nginx sends none that is empty.\n',
    ...headerTables(headers).map(([name, entries]) => map('$uri', variableOf(name), entries)),
  ].join('\n');
}

function serverBlock(basePath: string, headers: readonly HeaderRule[]): string {
  const lines = headerTables(headers).map(([name]) => `add_header ${name} ${variableOf(name)} always;\n`);
  return `# Include this file in the server block, beside root and index.
absolute_redirect off;
charset utf-8;
charset_types text/css text/plain text/xml text/javascript application/javascript application/json text/markdown application/jsonl application/atom+xml;
include mime.types;
types {
  text/markdown md;
  application/jsonl jsonl;
}
index index.html;
error_page 404 410 ${basePath}/404.html;
${lines.join('')}
location ${basePath}/ {
  if (-f $request_filename/index.html) {
    rewrite ^(.*[^/])$ $1/ permanent;
  }
  try_files $uri $uri/index.html @lectern_moved;
}

location @lectern_moved {
  if ($lectern_moved) {
    return 301 $lectern_moved;
  }
  if ($lectern_elsewhere) {
    return 302 $lectern_elsewhere;
  }
  if ($lectern_gone) {
    return 410;
  }
  if ($lectern_old) {
    return 301 $lectern_old;
  }
  return 404;
}
`;
}

function languageEntries({ kind, id, toByLanguage }: RecordRule) {
  return [...toByLanguage].map(([language, to]) => [`${kind}/${id}/${language}`, to] as const);
}

type Entry = readonly [key: string, value: string];

function map(source: string, target: string, entries: readonly Entry[], otherwise = '""'): string {
  // nginx compares without regard to case and does not start where two keys are the same to it.
  const unique = new Map(entries.toReversed().map((entry) => [entry[0].toLowerCase(), entry] as const));
  const lines = [...unique.values()].toReversed().map(([key, value]) => `  ${quote(key)} ${quote(value)};\n`);
  return `map ${source} ${target} {\n  default ${otherwise};\n${lines.join('')}}\n`;
}

/** Larger tables where the keys need it; nginx refuses to start otherwise. */
function room(entries: readonly Entry[]): string {
  const longest = entries.reduce((most, [key]) => Math.max(most, Buffer.byteLength(key)), 0);
  let bucket = defaultBucketBytes;
  while (bucket < longest + bucketOverheadBytes) bucket *= 2;
  let size = 2048;
  while (size < entries.length * 4) size *= 2;
  return `map_hash_bucket_size ${bucket};\nmap_hash_max_size ${size};\n`;
}

/** Headers with their value per path; the later rule wins, and the first that fits wins in nginx. */
function headerTables(
  headers: readonly HeaderRule[],
): readonly (readonly [name: string, entries: readonly Entry[]])[] {
  const tables = new Map<string, Entry[]>();
  for (const [pattern, values] of headers) {
    for (const [name, value] of Object.entries(values)) {
      // The content type follows from the types above: a second header would contradict the first.
      if (name === 'Content-Type') continue;
      const key = `~^${escapePattern(pattern).replaceAll('\\*', '.*')}$`;
      tables.set(name, [[key, value], ...(tables.get(name) ?? [])]);
    }
  }
  return [...tables];
}

function variableOf(header: string): string {
  return `$lectern_${header.toLowerCase().replaceAll('-', '_')}`;
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
