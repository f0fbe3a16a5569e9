import { decodePercent } from '../../../core/addresses.ts';
import { getOrMake } from '../../../core/group-by.ts';
import type { HeaderRule } from '../../pages/headers-file.ts';
import { type HostFiles, type RedirectTable, unusualIds } from '../redirect-table.ts';

/** Size of a bucket in nginx's tables. In its default, 64, there is no room for two of our keys, and nginx warns at every start. */
const minBucketBytes = 128;

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
      { path: 'hosting/nginx/server.conf', content: serverBlock(table.basePath, headers) },
    ],
    limits: [],
  };
}

function httpBlock({ basePath, rules, records }: RedirectTable, headers: readonly HeaderRule[]): string {
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
  const [moved, elsewhere] = [targets(true), targets(false)];
  const general = records.map(({ kind, id, to }): MapEntry => [`${kind}/${id}`, to]);
  const ofLanguages = records.flatMap(({ kind, id, toByLanguage }) =>
    [...toByLanguage].map(([language, to]): MapEntry => [`${kind}/${id}/${language}`, to]),
  );
  const namedBy = (variable: string) => legacyUrls.map((address) => [address, variable] as const);
  return [
    '# Include this file in the http block; drop the next two lines if it has larger values already.\n\n',
    hashSizes([moved, elsewhere, general, ofLanguages]),
    map('$uri', '$lectern_path', [['~^(?<lectern_bare>/.*?)/*$', '$lectern_bare']]),
    map('$lectern_path', '$lectern_moved', moved),
    map('$lectern_path', '$lectern_elsewhere', elsewhere),
    '\n# URLs of the old help centre, by id.\n',
    map('$lectern_path', '$lectern_key', namedBy('$lectern_record')),
    map('$lectern_path', '$lectern_key_language', namedBy('$lectern_record/$lectern_language')),
    map('$lectern_key', '$lectern_old_general', general),
    map('$lectern_key_language', '$lectern_old_language', ofLanguages),
    map('$lectern_old_language', '$lectern_old', [['~.', '$lectern_old_language']], '$lectern_old_general'),
    '\n# Headers by path; nginx does not send empty ones.\n',
    ...headerTables(headers).map(([name, entries]) => map('$uri', variableOf(name), entries)),
  ].join('');
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
error_page 404 ${word(`${basePath}/404.html`)};
${lines.join('')}
location ${word(`${basePath}/`)} {
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
function map(source: string, target: string, entries: readonly MapEntry[], otherwise = '""'): string {
  // nginx ignores case in keys and does not start with duplicate keys.
  const unique = new Map(entries.toReversed().map((entry) => [entry[0].toLowerCase(), entry] as const));
  const lines = [...unique.values()].reverse().map(([key, value]) => `  ${quote(key)} ${quote(value)};\n`);
  return `\nmap ${source} ${target} {\n  default ${otherwise};\n${lines.join('')}}\n`;
}

/** Increases the hash sizes if the keys need it; otherwise nginx would refuse to start. */
function hashSizes(tables: readonly (readonly MapEntry[])[]): string {
  const lengths = tables.flatMap((entries) => entries.map(([key]) => Buffer.byteLength(key)));
  const longest = lengths.reduce((most, length) => Math.max(most, length), 0);
  let bucket = minBucketBytes;
  while (bucket < longest + bucketOverheadBytes) bucket *= 2;
  let size = 2048;
  while (size < lengths.length * 4) size *= 2;
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
      // $uri has no percent-encoding.
      const key = `~^${escapePattern(decodePercent(pattern)).replaceAll('\\*', '.*')}$`;
      getOrMake(tables, name, () => []).unshift([key, value]);
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

/** A word of the configuration, in quotes only if it needs them. */
function word(text: string): string {
  return /^[\w./~-]+$/.test(text) ? text : quote(text);
}

function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
