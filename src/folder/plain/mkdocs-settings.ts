import { posix } from 'node:path';
import { LecternError, messageOf } from '../../foundation/errors.ts';
import { parseYaml } from '../../foundation/yaml.ts';
import type { MkDocsSyntax } from '../markup/mkdocs.ts';
import { fieldsOf, mkdocsExtension, mkdocsPlugin, readProjectConfig, textOf } from '../project/config.ts';
import { readTextInside } from '../safe-files.ts';

/** The settings of MkDocs that decide which files are published. */
interface MkDocsSettings {
  /** `docs_dir` as written. */
  readonly folder: string;
  /** Why MkDocs does not publish a file, by its path relative to `docs_dir`; `null` if it does. */
  hiddenAs(path: string): 'private' | 'draft' | null;
}

/**
 * Reads `docs_dir`, `exclude_docs` and `draft_docs`, also from the files that `INHERIT` names. Throws an `Error` with a sentence for the
 * author if one of them cannot be read.
 */
export function readMkDocsSettings(root: string, mark: string): MkDocsSettings {
  const settings = readSettings(root, mark, []);
  const folder = settings.get('docs_dir') ?? { file: mark, value: null };
  if (folder.value !== null && typeof folder.value !== 'string')
    throw new Error(`${folder.file}: docs_dir must be the name of a folder`);
  const excluded = parsePatterns(settings.get('exclude_docs'), 'exclude_docs', ['.*', '/templates/']);
  const drafts = parsePatterns(settings.get('draft_docs'), 'draft_docs', []);
  return {
    folder: folder.value || 'docs',
    hiddenAs: (path) => (matches(excluded, path) ? 'private' : matches(drafts, path) ? 'draft' : null),
  };
}

/**
 * Reads what the syntax of pages depends on.
 * @param folder of the pages
 */
export function readMkDocsSyntax(root: string, mark: string, folder: string): MkDocsSyntax {
  const config = readProjectConfig(root, 'mkdocs', mark);
  const snippets = mkdocsExtension(config, 'pymdownx.snippets') ?? {};
  const macros = mkdocsPlugin(config, 'macros');
  const texts = (value: unknown): readonly string[] => [value].flat().flatMap((one) => textOf(one) ?? []);
  return {
    appended: texts(snippets.auto_append),
    snippetFolders: [...texts(snippets.base_path), '.', folder, ...texts(macros?.include_dir)],
    variables: macros === null ? null : plainValues(config.all.extra),
  };
}

/** The texts and numbers among the fields of an object. */
function plainValues(fields: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(fieldsOf(fields)).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
    ),
  );
}

interface Setting {
  readonly file: string;
  readonly value: unknown;
}

const names = ['docs_dir', 'exclude_docs', 'draft_docs', 'INHERIT'];

/**
 * The settings above, by name. Only they are parsed, because others often have tags of Python (`!!python/name:…`), which are errors elsewhere.
 */
function readSettings(root: string, file: string, heirs: readonly string[]): ReadonlyMap<string, Setting> {
  if (heirs.includes(file)) throw new Error(`INHERIT of ${heirs.at(-1)} leads back to ${file}`);
  let found: Map<string, Setting>;
  try {
    const text = readTextInside(root, file).replace(/^\uFEFF/, '');
    found = new Map(cutSettings(text).map(([name, value]) => [name, { file, value }]));
  } catch (error) {
    if (error instanceof LecternError) throw error;
    throw new Error(`${file} cannot be read: ${messageOf(error)}`);
  }
  const base = found.get('INHERIT')?.value;
  if (base === undefined) return found;
  const isInside = typeof base === 'string' && base !== '' && !/^(?:[\\/]|[a-z]:)/i.test(base);
  const path = isInside ? posix.join(posix.dirname(file), base.replaceAll('\\', '/')) : '..';
  if (/^\.\.(?:\/|$)/.test(path))
    throw new Error(`${file}: INHERIT ${JSON.stringify(base)} must be a file inside the project`);
  return new Map([...readSettings(root, path, [...heirs, file]), ...found]);
}

function cutSettings(text: string): [string, unknown][] {
  const lines = text.split(/\r?\n|\r/);
  const first = lines.find((line) => !/^\s*(?:#.*)?$|^---\s*(?:#.*)?$|^%/.test(line)) ?? '';
  if (/^[\s{[-]/.test(first) || lines.some((line) => /^(?:["']?<<["']?\s*:|[?&!*])/.test(line)))
    throw new Error('every setting must be a line "name: value" that is not indented');
  // A later setting of the same name overrides an earlier one.
  const settings = new Map<string, unknown>();
  lines.forEach((line, start) => {
    const name = names.find((one) => new RegExp(`^(["']?)${one}\\1[ \\t]*:(?:[ \\t]|$)`).test(line));
    if (name === undefined) return;
    const length = lines.slice(start + 1).findIndex((one) => /^(?:[^\s#-]|---)/.test(one));
    const end = length === -1 ? lines.length : start + 1 + length;
    settings.set(name, parseYaml(lines.slice(start, end).join('\n'))[name]);
  });
  return [...settings];
}

interface Pattern {
  readonly regex: RegExp;
  readonly hides: boolean;
}

function parsePatterns(
  setting: Setting | undefined,
  name: string,
  defaults: readonly string[],
): readonly Pattern[] {
  const { file, value } = setting ?? { file: '', value: null };
  if (value !== null && typeof value !== 'string')
    throw new Error(`${file}: ${name} must be text with one pattern a line ("${name}: |")`);
  return [...defaults, ...(value ?? '').split(/\r?\n|\r/)].flatMap((raw) => {
    const line = raw.trimEnd();
    if (line === '' || line.startsWith('#')) return [];
    const why = whyUnknown(line);
    if (why !== null) throw new Error(`${file}: ${name} has the pattern ${JSON.stringify(line)}; ${why}`);
    const hides = !line.startsWith('!');
    return { regex: toRegex(hides ? line : line.slice(1)), hides };
  });
}

/** A simple set of characters, e.g. `[0-9]`. */
const simpleSet = /\[(?:0-9|a-z|A-Z|[\w.])+\]/g;

/** Why a pattern is refused: its meaning differs between versions, or MkDocs publishes files that the author likely wanted to hide. */
function whyUnknown(line: string): string | null {
  if (/\s#/.test(line))
    return 'write the comment on a line of its own, since MkDocs reads it as part of the pattern';
  if (/^!?\s/.test(line)) return 'remove the space before it';
  if (line.includes('\\')) return 'backslashes are not supported; separate folders with "/"';
  if (/[[\]]/.test(line.replace(simpleSet, ''))) return 'only simple sets such as [0-9] are supported';
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(line)) return 'remove the control character';
  const path = line.replace(/^!/, '').replace(/^\//, '').replace(/\/$/, '');
  const isPath = path.split('/').every((part) => !['', '.', '..'].includes(part));
  return isPath ? null : 'it is not a path relative to docs_dir';
}

/**
 * Translates a pattern of .gitignore as MkDocs does (pathspec). The group `below` matches if the pattern names a folder of the path.
 */
function toRegex(pattern: string): RegExp {
  const parts = pattern.split('/');
  const isFolder = parts.at(-1) === '';
  if (isFolder) parts.pop();
  if (parts[0] === '') parts.shift();
  else if (parts.length === 1) parts.unshift('**');
  if (isFolder) parts.push('**');
  const segments = parts.filter((part, at) => part !== '**' || parts[at - 1] !== '**');
  const last = segments.length - 1;
  if (last === 0 && segments[0] === '**') return isFolder ? /(?<below>\/)/ : /./s;
  let source = '';
  let needsSlash = false;
  segments.forEach((part, at) => {
    if (part !== '**') {
      source += `${needsSlash ? '/' : ''}${part === '*' ? '[^/]+' : globSource(part)}`;
      if (at === last) source += '(?:(?<below>/)|$)';
    } else if (at === 0) source += '(?:.+/)?';
    else if (at < last) source += '(?:/.+)?';
    else source += isFolder ? '(?<below>/)' : '/';
    needsSlash = part !== '**' || at > 0;
  });
  return new RegExp(`^${source}`, 'su');
}

function globSource(part: string): string {
  return part
    .split(/(\*+|\?|\[[^\]]*\])/)
    .map((piece, at) => {
      if (at % 2 === 0) return piece.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
      return piece.startsWith('*') ? '[^/]*' : piece === '?' ? '[^/]' : piece;
    })
    .join('');
}

/**
 * Whether the patterns hide a file. The last match decides, but re-including a folder does not override a match of the file itself. Versions
 * of pathspec differ if a pattern hides a folder after a re-included file; such a file is hidden, as in Git.
 */
function matches(patterns: readonly Pattern[], path: string): boolean {
  let isHidden = false;
  let isByFile = false;
  let ofFile: boolean | null = null;
  for (const { regex, hides } of patterns) {
    const match = regex.exec(path);
    if (match === null) continue;
    const isBelow = match.groups?.below !== undefined;
    if (!isBelow) ofFile = hides;
    if (isBelow && isByFile && !hides) continue;
    isHidden = hides;
    isByFile = !isBelow;
  }
  return isHidden || ofFile === true;
}
