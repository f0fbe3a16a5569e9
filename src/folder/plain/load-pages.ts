import { hash } from 'node:crypto';
import { LecternError, messageOf } from '../../foundation/errors.ts';
import { languageKey } from '../../foundation/language.ts';
import { type Problem, problem } from '../../foundation/problems.ts';
import { refuseInvalidFiles } from '../folder-read.ts';
import { parsePageFrontMatter } from '../front-matter.ts';
import { headingId, prepareMdx } from '../prepare-markdown.ts';
import { readTextInside, type ScannedFiles } from '../safe-files.ts';
import type { PlainProject } from './find-pages.ts';
import { type PagePath, type PlainSettings, parsePagePath, textField } from './page-fields.ts';

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
export interface PageFile {
  readonly data: Readonly<Record<string, unknown>>;
  /** Markdown without the first heading if that is the title, or HTML. */
  readonly text: string;
  /** Title from the front matter, else from a first heading; `null` if there is neither. */
  readonly title: string | null;
  /** SHA-256 of the file. */
  readonly contentHash: string;
  /** MDX components that were replaced by their content. */
  readonly components: readonly string[];
}

/** A file that is not a page, and the reason. */
export interface SkippedFile {
  readonly why: string;
}

/** A page with everything from its path and front matter. */
export interface Page extends PageFile, PagePath {
  /** Relative to the root. */
  readonly path: string;
  /** Relative to its folder of pages. */
  readonly pathInTree: string;
  readonly tree: string;
  readonly isHtml: boolean;
  /** Why the configuration of the project hides it. */
  readonly hiddenAs: Exclude<ReturnType<PlainProject['hiddenAs']>, 'no-source'>;
}

/** Pages by path, valid as long as their file does not change. */
export type PageCache = Map<string, { readonly stamp: string; readonly file: PageFile | SkippedFile }>;

/** The pages of a folder, by key and language. */
interface LoadedPages {
  /** Pages by key, then by {@link languageKey}; the default language first, then sorted. */
  readonly byKey: ReadonlyMap<string, readonly Page[]>;
  /** Translations that the generator does not see, because their page does not exist: keys, and the path of the first translation of each. */
  readonly withoutSource: ReadonlyMap<string, string>;
  readonly problems: readonly Problem[];
}

/**
 * Reads every page of a project and reports all errors at once.
 * @throws FOLDER_INVALID: front matter that cannot be read, text that is not UTF-8, two files for one page in one language
 */
export function loadPages(
  settings: PlainSettings,
  { trees, contentFolders, problems: found, hiddenAs }: PlainProject,
  scanned: ScannedFiles,
  cache: PageCache,
): LoadedPages {
  const { root, defaultLanguage } = settings;
  const byKey = new Map<string, Page[]>();
  const problems: Problem[] = [...found];
  const mistakes: string[] = [];
  const lost = new Map<string, string[]>();
  const withoutSource = new Map<string, string>();
  const skip = (path: string, why: string): void => {
    problems.push(problem('FILE_SKIPPED', `${path} ${why}`));
  };
  for (const { folder, language } of trees) {
    const start = folder === '' ? '' : `${folder}/`;
    const inner = trees.filter((one) => one.folder !== folder && one.folder.startsWith(start));
    const inTree = [...scanned.stamps].filter(
      ([path]) => path.startsWith(start) && !inner.some((one) => path.startsWith(`${one.folder}/`)),
    );
    const shown = inTree.filter(([path]) => hiddenAs(path) === null);
    const stems = new Set(shown.map(([path]) => stemOf(path.slice(start.length))));
    // If a public and a hidden file are the same page, the public one is read first.
    for (const [path, stamp] of [...shown, ...inTree.filter(([path]) => hiddenAs(path) !== null)]) {
      const pathInTree = path.slice(start.length);
      if (isPartial(pathInTree) || !pageFile.test(path)) continue;
      try {
        const hidden = hiddenAs(path);
        if (hidden === 'no-source') {
          const { key } = parsePagePath(pathInTree, settings, language);
          if (!withoutSource.has(key)) withoutSource.set(key, path);
          lost.set(pathInTree, [...(lost.get(pathInTree) ?? []), String(language)]);
          continue;
        }
        const file = readPageFile(root, path, stamp, cache, hidden !== null);
        if ('why' in file) {
          skip(path, file.why);
          continue;
        }
        const owner = contentFolders.find((one) => path.startsWith(`${one.folder}/`));
        const inPath = parsePagePath(pathInTree, settings, owner?.isDisabled ? owner.language : language);
        const parsed = { ...inPath, language: inPath.language ?? owner?.language ?? null };
        // If two files claim to be the page of a folder, `README` is an ordinary page.
        const isReadme = /^readme$/i.test(parsed.name);
        const isIndex = parsed.isIndex && !(isReadme && stems.has(pathInTree.replace(/[^/]+$/, 'index')));
        const page = {
          ...file,
          ...parsed,
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
          skip(path, `is not published by the project, and ${same.path} is the same page`);
        else mistakes.push(`${path}: ${same.path} is the same page in the same language`);
      } catch (error) {
        if (error instanceof LecternError) throw error;
        mistakes.push(`${path}: ${messageOf(error)}`);
      }
    }
  }
  for (const path of cache.keys()) if (!scanned.stamps.has(path)) cache.delete(path);
  refuseInvalidFiles(mistakes);
  for (const path of scanned.links) {
    problems.push(problem('SYMLINK_SKIPPED', `${path} is not a regular file`));
  }
  for (const [page, languages] of [...lost].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const message = `${trees[0]?.folder}/${page} does not exist, so its translations are not published: ${languages.join(', ')}`;
    problems.push(problem('TRANSLATION_WITHOUT_SOURCE', message));
  }
  for (const pages of byKey.values()) pages.sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  return { byKey: new Map([...byKey].sort(([a], [b]) => (a < b ? -1 : 1))), withoutSource, problems };

  function keyOf(page: Pick<Page, 'language'>): string {
    return languageKey(page.language ?? defaultLanguage);
  }
  function sortKey(page: Page): string {
    const key = keyOf(page);
    return key === languageKey(defaultLanguage) ? '' : key;
  }
}

/**
 * Reads a page, or returns it from the cache. An HTML file without front matter is not a page; MDX is a page only if its text is all that
 * readers see. Throws an `Error` with a sentence for the author, except if the front matter of a hidden page is invalid.
 */
function readPageFile(
  root: string,
  path: string,
  stamp: string,
  cache: PageCache,
  isHidden: boolean,
): PageFile | SkippedFile {
  const known = cache.get(path);
  if (known?.stamp === stamp) return known.file;
  const source = readTextInside(root, path);
  try {
    const file = parsePage(source, path);
    cache.set(path, { stamp, file });
    return file;
  } catch (error) {
    if (!isHidden) throw error;
    return { data: {}, text: source, title: null, contentHash: hash('sha256', source), components: [] };
  }
}

function parsePage(source: string, path: string): PageFile | SkippedFile {
  const isHtml = /\.html?$/i.test(path);
  const contentHash = hash('sha256', source);
  const text = source.replace(/^\uFEFF/, '');
  const cut = parsePageFrontMatter(text);
  if (isHtml && cut === null) return { why: 'has no front matter' };
  const { data, body: written } = cut ?? { data: {}, body: text };
  const mdx = /\.mdx$/i.test(path) ? prepareMdx(written) : { text: written, components: [], why: null };
  if (mdx.why !== null) return mdx;
  const { text: body, components } = mdx;
  const given = textField(data, 'title', 'linkTitle');
  if (isHtml) return { data, text: body, title: given, contentHash, components };
  const heading = findTitle(body);
  const isTitle = heading !== null && (given === null || heading.text.toLowerCase() === given.toLowerCase());
  return {
    data,
    text: isTitle ? body.slice(heading.end) : body,
    title: given ?? heading?.text ?? null,
    contentHash,
    components,
  };
}

const titleId = new RegExp(`\\s*${headingId.source}$`);

/** A first-level heading before all other text; `end` is the start of the text after it. */
function findTitle(text: string): { readonly text: string; readonly end: number } | null {
  const match =
    /^(?:\s|<!--[\s\S]*?-->|\{\/\*[\s\S]*?\*\/\}|import [^\n]*\n)*?#[ \t]+([^\n]+?)[ \t]*#*[ \t]*(?:\r?\n|$)/.exec(
      text,
    ) ?? /^\s*([^\s#>*`~|<:-][^\n]*)\r?\n=+[ \t]*(?:\r?\n|$)/.exec(text);
  if (match === null) return null;
  const plain = (match[1] ?? '')
    .replace(titleId, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/(\*\*|__|[*`])(?=\S)(.*?\S)\1/g, '$2')
    .trim();
  return plain === '' ? null : { text: plain, end: match[0].length };
}
