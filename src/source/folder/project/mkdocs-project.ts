import { messageOf } from '../../../core/errors.ts';
import { withEmoji } from '../markup/emoji.ts';
import { createMkDocsMarkup } from '../markup/mkdocs.ts';
import type { Markup } from '../markup/rules.ts';
import { fieldsOf, mkdocsExtension, mkdocsPlugin, type ProjectConfig, textOf } from './config.ts';
import {
  findFolder,
  isOutside,
  normalizeFolder,
  type ProjectPages,
  plainProject,
  unreadProject,
} from './project-pages.ts';

/** The `docs_dir` of a MkDocs project, and which files in it MkDocs does not publish. */
export function readMkDocsProject(config: ProjectConfig, has: (path: string) => boolean): ProjectPages {
  if (config.unread.length > 0) return unreadProject(config);
  try {
    const docs = settingIn(config, 'docs_dir');
    if (docs.value !== null && typeof docs.value !== 'string')
      throw new Error(`${docs.file}: docs_dir must be the name of a folder`);
    const folder = normalizeFolder(docs.value || 'docs');
    if (isOutside(folder))
      throw new Error(`${docs.file}: ${folder} is read only if docs_dir is a folder inside the project`);
    const excluded = parsePatterns(settingIn(config, 'exclude_docs'), 'exclude_docs', ['.*', '/templates/']);
    const drafts = parsePatterns(settingIn(config, 'draft_docs'), 'draft_docs', []);
    const hiddenAs = (path: string) => {
      if (!path.startsWith(`${folder}/`)) return null;
      const inside = path.slice(folder.length + 1);
      return matches(excluded, inside) ? 'private' : matches(drafts, inside) ? 'draft' : null;
    };
    return { ...findFolder(folder, config.file, has), hiddenAs, markup: readMarkup(config, folder) };
  } catch (error) {
    return plainProject([], [messageOf(error)]);
  }
}

/** What the syntax of pages depends on. @param folder of the pages */
function readMarkup(config: ProjectConfig, folder: string): Markup {
  const snippets = mkdocsExtension(config, 'pymdownx.snippets') ?? {};
  const macros = mkdocsPlugin(config, 'macros');
  const texts = (value: unknown): readonly string[] => [value].flat().flatMap((one) => textOf(one) ?? []);
  const basic = createMkDocsMarkup({
    appended: texts(snippets.auto_append),
    snippetFolders: [...texts(snippets.base_path), '.', folder, ...texts(macros?.include_dir)],
    variables: macros === null ? null : plainValues(config.all.extra),
  });
  const has = (name: string): boolean => mkdocsExtension(config, name) !== null;
  const markup = has('pymdownx.emoji') ? withEmoji(basic) : basic;
  const isMath = has('pymdownx.arithmatex') || has('arithmatex');
  return isMath ? { ...markup, math: ['dollars', 'brackets'] } : markup;
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
  /** `null`: not given. */
  readonly value: unknown;
}

/** A setting, and the file that has it. */
function settingIn({ file, layers }: ProjectConfig, name: string): Setting {
  const layer = layers.findLast(({ settings }) => name in settings);
  return { file: layer?.file ?? file, value: layer?.settings[name] ?? null };
}

interface Pattern {
  readonly regex: RegExp;
  readonly hides: boolean;
}

function parsePatterns(
  { file, value }: Setting,
  name: string,
  defaults: readonly string[],
): readonly Pattern[] {
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
