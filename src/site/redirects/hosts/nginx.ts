import type { HeaderRule } from '../../pages/headers-file.ts';
import { type HostFiles, type RecordRule, type RedirectTable, unusualIds } from '../redirect-table.ts';

/** Longest key in nginx's tables with the default bucket size. */
const defaultBucketBytes = 64;

/** Overhead per entry: pointer, length, alignment. */
const bucketOverheadBytes = 24;

/**
 * Two files to include: tables for the `http` block and locations for the `server` block. Tables are hash tables, so ten thousand redirects
 * are as fast as ten. Existing files are served before any rule applies.
 */
export function writeNginx(table: RedirectTable, headers: readonly HeaderRule[]): HostFiles {
  return {
    files: [
      { path: 'hosting/nginx/http.conf', content: httpBlock(table, headers) },
      { path: 'hosting/nginx/server.conf', content: [serverBlock(table.basePath, headers)] },
    ],
    limits: () => [],
  };
}

/** Creates its tables one after the other. */
function* httpBlock(
  { basePath, rules, records }: RedirectTable,
  headers: readonly HeaderRule[],
): Generator<string> {
  const targets = (isPermanent: boolean) =>
    rules.flatMap(({ origin, from, to, ...rule }) =>
      rule.isPermanent === isPermanent && origin !== 'hosted-url' ? [[from, to] as const] : [],
    );
  const oldAddress = (record: string): string =>
    `~^${escapePattern(basePath)}/(?:l/(?<lectern_language>[^/]+)/)?(?<lectern_record>${record})(?:-[^/]*)?$`;
  const legacyUrls = [
    ...unusualIds(records).map((id) => oldAddress(`category/${id}`)),
    oldAddress('(?:article|category)/[A-Za-z0-9]{10}'),
  ];
  yield '# Include this file in the http block; drop the next two lines if it has larger values already.\n\n';
  yield hashSizes([targets(true), targets(false), generalEntries(records), languageEntries(records)]);
  yield* map('$uri', '$lectern_path', [['~^(?<lectern_bare>/.*?)/*$', '$lectern_bare']]);
  yield* map('$lectern_path', '$lectern_moved', targets(true));
  yield* map('$lectern_path', '$lectern_elsewhere', targets(false));
  yield '\n# URLs of the old help centre, by id.\n';
  yield* map(
    '$lectern_path',
    '$lectern_key',
    legacyUrls.map((address) => [address, '$lectern_record']),
  );
  yield* map(
    '$lectern_path',
    '$lectern_key_language',
    legacyUrls.map((address) => [address, '$lectern_record/$lectern_language']),
  );
  yield* map('$lectern_key', '$lectern_old_general', generalEntries(records));
  yield* map('$lectern_key_language', '$lectern_old_language', languageEntries(records));
  yield* map(
    '$lectern_old_language',
    '$lectern_old',
    [['~.', '$lectern_old_language']],
    '$lectern_old_general',
  );
  yield '\n# Headers by path; nginx does not send empty ones.\n';
  for (const [name, entries] of headerTables(headers)) yield* map('$uri', variableOf(name), entries);
}

function generalEntries(records: readonly RecordRule[]): readonly MapEntry[] {
  return records.map(({ kind, id, to }) => [`${kind}/${id}`, to]);
}

function languageEntries(records: readonly RecordRule[]): readonly MapEntry[] {
  return records.flatMap(({ kind, id, toByLanguage }) =>
    [...toByLanguage].map(([language, to]) => [`${kind}/${id}/${language}`, to] as const),
  );
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
error_page 404 ${basePath}/404.html;
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
  if ($lectern_old) {
    return 301 $lectern_old;
  }
  return 404;
}
`;
}

type MapEntry = readonly [key: string, value: string];

/** Starts with an empty line. */
function* map(
  source: string,
  target: string,
  entries: readonly MapEntry[],
  otherwise = '""',
): Generator<string> {
  // nginx ignores case in keys and does not start with duplicate keys.
  const unique = new Map(entries.toReversed().map((entry) => [entry[0].toLowerCase(), entry] as const));
  yield `\nmap ${source} ${target} {\n  default ${otherwise};\n`;
  for (const [key, value] of [...unique.values()].reverse()) yield `  ${quote(key)} ${quote(value)};\n`;
  yield '}\n';
}

/** Increases the hash sizes if the keys need it; otherwise nginx would refuse to start. */
function hashSizes(tables: readonly (readonly MapEntry[])[]): string {
  let longest = 0;
  let count = 0;
  for (const entries of tables) {
    for (const [key] of entries) {
      longest = Math.max(longest, Buffer.byteLength(key));
      count += 1;
    }
  }
  let bucket = defaultBucketBytes;
  while (bucket < longest + bucketOverheadBytes) bucket *= 2;
  let size = 2048;
  while (size < count * 4) size *= 2;
  return `map_hash_bucket_size ${bucket};\nmap_hash_max_size ${size};\n`;
}

/** Headers with their value per path. Here the later rule wins, but in nginx the first match does. */
function headerTables(
  headers: readonly HeaderRule[],
): readonly (readonly [name: string, entries: readonly MapEntry[]])[] {
  const tables = new Map<string, MapEntry[]>();
  for (const [pattern, values] of headers) {
    for (const [name, value] of Object.entries(values)) {
      // The content type is set by the types above: a second header would contradict it.
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
