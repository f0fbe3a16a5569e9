import { hash } from 'node:crypto';
import { LecternError, LineError, messageOf } from '../../../core/errors.ts';
import { isLanguageTag, languageKey } from '../../../core/language.ts';
import { type Problem, problem } from '../../../core/problems.ts';
import { parsePageFrontMatter, refuseUnreadFrontMatter } from '../front-matter.ts';
import { withoutTags } from '../markup/code.ts';
import { headingId } from '../markup/heading-id.ts';
import { readMarkup, type UnknownMarkup } from '../markup/markup.ts';
import type { Markup } from '../markup/rules.ts';
import type { PageRules, PlainProject } from '../project/project-pages.ts';
import { readTextInside, type ScannedFiles } from '../safe-files.ts';
import { textField } from './page-fields.ts';
import { type PagePath, type PlainSettings, parsePagePath } from './page-path.ts';

export const pageFile = /\.(?:mdx?|markdown|html?)$/i;

/** Files whose names start with an underscore are parts of pages, except those that describe their folder. */
export function isPartial(path: string): boolean {
  return path.split('/').some((name) => name.startsWith('_') && !/^_index(?:\.|$)/.test(name));
}

/** A path without its extension. */
export function stemOf(path: string): string {
  return path.replace(/\.[^./]+$/, '');
}

/** A file of a plain folder, split into its parts. */
interface PageFile {
  readonly data: Readonly<Record<string, unknown>>;
  /** Markdown without the first heading if that is the title, or HTML. */
  readonly text: string;
  /** Title from the front matter, else from a first heading; `null` if there is neither. */
  readonly title: string | null;
  /** SHA-256 of the file and of the parts that it includes. */
  readonly contentHash: string;
  /** Syntax of the generator that nobody could resolve; it is not in the text. */
  readonly unknown: readonly UnknownMarkup[];
  /** Paths in links by shortcode, without fragment. */
  readonly refs: ReadonlySet<string>;
  /** Fields that its front matter has twice, with their lines. */
  readonly repeated: readonly { readonly field: string; readonly line: number }[];
}

/** A file that is not a page, and the reason; `null` if it need not be reported. */
interface SkippedFile {
  readonly why: string | null;
}

/** A page with everything from its path and front matter. */
export interface Page extends PageFile, PagePath {
  /** Relative to the root. */
  readonly path: string;
  /** Relative to its folder of pages. */
  readonly pathInTree: string;
  readonly tree: string;
  /** The language that its path says; `lang` in its front matter is not part of the path. */
  readonly pathLanguage: string | null;
  readonly isHtml: boolean;
  /** Why the configuration of the project hides it. */
  readonly hiddenAs: Exclude<ReturnType<PlainProject['hiddenAs']>, 'no-source'>;
}

/** Pages by path, valid as long as their file does not change. */
export type PageCache = Map<string, { readonly stamp: string; readonly file: PageFile | SkippedFile }>;

/** The pages of a folder, by key and language. */
export interface LoadedPages {
  /** Pages by key, then by {@link languageKey}; the default language first, then sorted. */
  readonly byKey: ReadonlyMap<string, readonly Page[]>;
  /**
   * Keys without a page, and a file of each: one that cannot be read (`invalid`), or a translation that the generator does not see, because
   * its page does not exist (`no-source`).
   */
  readonly missing: ReadonlyMap<string, MissingPage>;
  /** Folders whose `_index` cannot be read: it may hide the pages below. */
  readonly unknownFolders: ReadonlySet<string>;
  readonly problems: readonly Problem[];
}

interface MissingPage {
  readonly path: string;
  readonly reason: 'no-source' | 'invalid';
}

/**
 * Reads every page of a project. A file that cannot be read (front matter, text that is not UTF-8, a second file for a page in one
 * language) is skipped and reported.
 */
export function loadPages(
  settings: PlainSettings,
  { trees, contentFolders, problems: found, hiddenAs, markup, pages: rules }: PlainProject,
  scanned: ScannedFiles,
  cache: PageCache,
): LoadedPages {
  const { root, defaultLanguage } = settings;
  const byKey = new Map<string, Page[]>();
  const problems: Problem[] = [...found];
  const lost = new Map<string, string[]>();
  const missing = new Map<string, MissingPage>();
  const unknownFolders = new Set<string>();
  for (const { folder, language, prefix } of trees) {
    const start = folder === '' ? '' : `${folder}/`;
    const inner = trees.filter((one) => one.folder !== folder && one.folder.startsWith(start));
    const inTree = [...scanned.stamps].filter(
      ([path]) => path.startsWith(start) && !inner.some((one) => path.startsWith(`${one.folder}/`)),
    );
    const shown = inTree.filter(([path]) => hiddenAs(path) === null);
    const stems = new Set(shown.map(([path]) => stemOf(prefix + path.slice(start.length))));
    // If a public and a hidden file are the same page, the public one is read first.
    for (const [path, stamp] of [...shown, ...inTree.filter(([path]) => hiddenAs(path) !== null)]) {
      const pathInTree = prefix + path.slice(start.length);
      if (isPartial(pathInTree) || !pageFile.test(path) || rules.ignores(path)) continue;
      const skip = (code: 'FILE_SKIPPED' | 'FILE_IGNORED', why: string, line: number | null = null): void => {
        problems.push(problem(code, `${path}${why}`, { file: path, line }));
        if (code === 'FILE_IGNORED') return;
        const { key, folder: ownFolder, name } = parsePagePath(pathInTree, settings, language);
        missing.set(key, { path, reason: 'invalid' });
        if (name === '_index') unknownFolders.add(ownFolder);
      };
      try {
        const hidden = hiddenAs(path);
        if (hidden === 'no-source') {
          const { key } = parsePagePath(pathInTree, settings, language);
          if (!missing.has(key)) missing.set(key, { path, reason: hidden });
          lost.set(pathInTree, [...(lost.get(pathInTree) ?? []), String(language)]);
          continue;
        }
        const file = readPageFile({ root, path, tree: folder, markup, rules }, stamp, cache, hidden !== null);
        if ('why' in file) {
          if (file.why !== null) skip('FILE_IGNORED', ` ${file.why}`);
          continue;
        }
        for (const { field, line } of file.repeated)
          problems.push(problem('FIELD_REPEATED', `${path} has ${field} twice`, { file: path, line }));
        const owner = contentFolders.find((one) => path.startsWith(`${one.folder}/`));
        const inPath = parsePagePath(pathInTree, settings, owner?.isDisabled ? owner.language : language);
        const pathLanguage = inPath.language ?? owner?.language ?? null;
        const parsed = { ...inPath, language: pathLanguage ?? languageField(file.data, defaultLanguage) };
        // If two files claim to be the page of a folder, `README` is an ordinary page.
        const isReadme = /^readme$/i.test(parsed.name);
        const isIndex = parsed.isIndex && !(isReadme && stems.has(pathInTree.replace(/[^/]+$/, 'index')));
        const page = {
          ...file,
          ...parsed,
          pathLanguage,
          isIndex,
          path,
          pathInTree,
          tree: folder,
          isHtml: /\.html?$/i.test(path),
          hiddenAs: hidden,
        };
        const pages = byKey.get(page.key) ?? [];
        const same = pages.find((other) => keyOf(other) === keyOf(page));
        if (same === undefined) byKey.set(page.key, [...pages, page]);
        else if (hidden !== null)
          skip('FILE_IGNORED', ` is not published by the project, and ${same.path} is the same page`);
        else skip('FILE_SKIPPED', `: ${same.path} is the same page in the same language`);
      } catch (error) {
        if (error instanceof LecternError) throw error;
        skip('FILE_SKIPPED', `: ${messageOf(error)}`, error instanceof LineError ? error.line : null);
      }
    }
  }
  for (const path of cache.keys()) if (!scanned.stamps.has(path)) cache.delete(path);
  for (const path of scanned.unnamed)
    problems.push(problem('FILE_SKIPPED', `the name of ${path} is not UTF-8; rename it`));
  for (const path of scanned.links) {
    problems.push(problem('SYMLINK_SKIPPED', `${path} is not a regular file`, { file: path }));
  }
  for (const [page, languages] of [...lost].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const message = `${trees[0]?.folder}/${page} does not exist, so its translations are not published: ${languages.join(', ')}`;
    problems.push(problem('TRANSLATION_WITHOUT_SOURCE', message));
  }
  for (const pages of byKey.values()) pages.sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  const sorted = new Map([...byKey].sort(([a], [b]) => (a < b ? -1 : 1)));
  return { byKey: sorted, missing, unknownFolders, problems };

  function keyOf(page: Pick<Page, 'language'>): string {
    return languageKey(page.language ?? defaultLanguage);
  }
  function sortKey(page: Page): string {
    const key = keyOf(page);
    return key === languageKey(defaultLanguage) ? '' : key;
  }
}

/** `lang` in front matter; `null` for the default language, also with a region. */
function languageField(data: Readonly<Record<string, unknown>>, defaultLanguage: string): string | null {
  const { lang } = data;
  if (typeof lang !== 'string' || !isLanguageTag(lang.replaceAll('_', '-'))) return null;
  const tag = lang.replaceAll('_', '-');
  const isDefault = [tag, tag.split('-')[0] ?? ''].some(
    (one) => languageKey(one) === languageKey(defaultLanguage),
  );
  return isDefault ? null : tag;
}

/** A file of a page, and how to read it. */
interface PageSource {
  readonly root: string;
  readonly path: string;
  readonly tree: string;
  readonly markup: Markup;
  readonly rules: PageRules;
}

/**
 * Reads a page, or returns it from the cache. An HTML file without front matter is not a page. Throws an `Error` with a sentence for the
 * author, except if the front matter of a hidden page is invalid.
 */
function readPageFile(
  page: PageSource,
  stamp: string,
  cache: PageCache,
  isHidden: boolean,
): PageFile | SkippedFile {
  const { root, path } = page;
  const known = cache.get(path);
  if (known?.stamp === stamp) return known.file;
  const source = readTextInside(root, path);
  try {
    const { file, hasParts } = parsePage(source, page);
    // The parts of a page may change without it.
    if (!hasParts) cache.set(path, { stamp, file });
    return file;
  } catch (error) {
    if (!isHidden) throw error;
    const contentHash = hash('sha256', source);
    return { data: {}, text: source, title: null, contentHash, unknown: [], refs: new Set(), repeated: [] };
  }
}

function parsePage(
  source: string,
  { root, path, tree, markup, rules }: PageSource,
): { readonly file: PageFile | SkippedFile; readonly hasParts: boolean } {
  const isHtml = /\.html?$/i.test(path);
  const text = withPlainStart(source);
  const repeated: { readonly field: string; readonly line: number }[] = [];
  const cut = parsePageFrontMatter(text, (field, line) => repeated.push({ field, line }));
  if (cut === null && rules.needsFrontMatter) return { file: { why: null }, hasParts: false };
  if (isHtml && cut === null) return { file: { why: 'has no front matter' }, hasParts: false };
  if (cut === null) refuseUnreadFrontMatter(text);
  const { data: own, body: written } = cut ?? { data: {}, body: text };
  const data = { ...rules.fieldsOf(path), ...own };
  const given = textField(data, 'title', 'linkTitle');
  const linesBefore = text.slice(0, Math.max(0, text.length - written.length)).split('\n').length - 1;
  const read = (part: string): string => readTextInside(root, part);
  const {
    text: body,
    unknown,
    refs,
    parts,
  } = readMarkup(isHtml ? { ...htmlMarkup, compose: markup.compose } : markup, {
    text: written,
    path,
    tree,
    data,
    linesBefore,
    read,
  });
  const heading = isHtml ? null : findTitle(body);
  const isTitle = heading !== null && (given === null || heading.text.toLowerCase() === given.toLowerCase());
  const file = {
    data,
    text: isTitle ? body.slice(heading.end) : body,
    title: given ?? heading?.text ?? null,
    contentHash: hash('sha256', parts.length === 0 ? source : JSON.stringify([source, ...parts])),
    unknown,
    refs,
    repeated,
  };
  return { file, hasParts: parts.length > 0 };
}

/** A text without marks of byte order, with line ends that are not only carriage returns, and without blank lines before its front matter. */
function withPlainStart(source: string): string {
  const lines = source.includes('\n') ? source : source.replaceAll('\r', '\n');
  return lines.replace(/^\uFEFF+/, '').replace(/^\s+(?=(?:---|\+\+\+)[ \t]*\r?\n)/, '');
}

/** HTML has no syntax of its own; only its parts are inserted. */
const htmlMarkup: Markup = { blocks: [], raw: [] };

const titleId = new RegExp(`\\s*${headingId.source}$`);

/** A first-level heading before all other text; `end` is the start of the text after it. */
function findTitle(text: string): { readonly text: string; readonly end: number } | null {
  const match =
    /^(?:\s|<!--[\s\S]*?-->|\{\/\*[\s\S]*?\*\/\}|import [^\n]*\n)*?#[ \t]+([^\n]+?)[ \t]*#*[ \t]*(?:\r?\n|$)/.exec(
      text,
    ) ?? /^\s*([^\s#>*`~|<:-][^\n]*)\r?\n=+[ \t]*(?:\r?\n|$)/.exec(text);
  if (match === null) return null;
  const heading = (match[1] ?? '')
    .replace(titleId, '')
    .replace(/<math [^>]*?alttext="([^"]*)"><\/math>/g, '$1');
  const plain = withoutTags(heading)
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/(\*\*|__|[*`])(?=\S)(.*?\S)\1/g, '$2')
    .replace(/(?<![\p{L}\p{N}_])_(?=\S)([^_]*\S)_(?![\p{L}\p{N}_])/gu, '$1')
    .trim();
  return plain === '' ? null : { text: plain, end: match[0].length };
}
