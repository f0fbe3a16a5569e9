import { hash } from 'node:crypto';
import { once } from '../../../core/concurrency.ts';
import { LecternError, LineError, messageOf } from '../../../core/errors.ts';
import { pageFile } from '../../../core/hidden-names.ts';
import { isLanguageTag, isSameLanguage, languageKey } from '../../../core/language.ts';
import { type Problem, problem } from '../../../core/problems.ts';
import { gitHubId, slugify } from '../../../core/slug.ts';
import { isRecord, type UnknownRecord } from '../../../core/unknown-record.ts';
import type { FileMemory } from '../../snapshot/file-memory.ts';
import { describeUnopened } from '../folder-read.ts';
import { parsePageFrontMatter } from '../front-matter.ts';
import { isPartial } from '../list-folder.ts';
import { findTitle } from '../markdown/find-title.ts';
import { readTextInside, type ScannedFiles } from '../safe-files.ts';
import { textField } from './page-fields.ts';
import { type PagePath, type PlainSettings, parsePagePath, stemOf } from './page-path.ts';
import { type PagePaths, pathsOf } from './page-paths.ts';
import { type PageVisibility, readPageVisibility } from './page-visibility.ts';

/** A file of a plain folder, without its text. Plain data. */
interface PageFile {
  readonly data: Readonly<Record<string, unknown>>;
  /** Whether its text shows nothing. */
  readonly isBlank: boolean;
  /** Title from the front matter, else from a heading; `null` if there is neither. */
  readonly title: string | null;
  /** Fragments of links that lead to the heading that is the title, and which is not in the text. */
  readonly titleIds: readonly string[];
  /** SHA-256 of the file. */
  readonly contentHash: string;
  /** What is odd in its front matter, as the end of a sentence, with the line. */
  readonly oddities: readonly { readonly what: string; readonly line: number }[];
}

/** A page with everything from its path and front matter. */
export interface Page extends PageFile, PagePath {
  /** Relative to the root. */
  readonly path: string;
  readonly language: string;
  readonly visibility: PageVisibility;
  /** Where it is on the site, public or not. */
  readonly paths: PagePaths;
  readonly isHtml: boolean;
  /** Reads its text: Markdown without the heading that is the title, or HTML. Throws what reading the file throws. */
  readonly readText: () => string;
}

/** The pages of a folder, by key and language. */
interface LoadedPages {
  /** Pages by key, then by {@link languageKey}; the default language first, then sorted. */
  readonly byKey: ReadonlyMap<string, readonly Page[]>;
  /** Keys without a page, and a file of each that cannot be read. */
  readonly unreadable: ReadonlyMap<string, string>;
  readonly problems: readonly Problem[];
}

/**
 * Reads every page of a folder. A file that cannot be read (front matter, text that is not UTF-8, a second file for a page in one
 * language) is skipped and reported.
 * @param isVault whether the names of files are titles, as in a vault
 */
export function loadPages(
  settings: PlainSettings,
  scanned: ScannedFiles,
  memory: FileMemory,
  isVault: boolean,
): LoadedPages {
  const { root, defaultLanguage, nowMs } = settings;
  const byKey = new Map<string, Page[]>();
  const problems: Problem[] = [];
  const unreadable = new Map<string, string>();
  const stems = new Set([...scanned.stamps.keys()].map(stemOf));
  for (const [path, stamp] of scanned.stamps) {
    if (isPartial(path) || !pageFile.test(path)) continue;
    const skip = (why: string, line: number | null = null): void => {
      problems.push(problem('FILE_SKIPPED', `${path}: ${why}`, { file: path, line }));
      unreadable.set(parsePagePath(path, settings).key, path);
    };
    try {
      const isHtml = /\.html?$/i.test(path);
      const read = once(() => readTextInside(root, path));
      const parse = once(() => parsePage(read(), isHtml, isVault));
      const file = memory.get(path, {
        stamp,
        hash: () => hash('sha256', read()),
        make: () => parse()?.file ?? null,
        isPublic: (made) => made === null || readPageVisibility(made.data, nowMs).reason === 'public',
      });
      if (file === null) {
        problems.push(problem('FILE_IGNORED', `${path} has no front matter`, { file: path }));
        continue;
      }
      for (const { what, line } of file.oddities)
        problems.push(problem('FIELD_INVALID', `${path} has ${what}`, { file: path, line }));
      const parsed = parsePagePath(path, settings);
      // If two files claim to be the page of a folder, `README` is an ordinary page.
      const isReadme = /^readme$/i.test(parsed.name);
      const isIndex = parsed.isIndex && !(isReadme && stems.has(path.replace(/[^/]+$/, 'index')));
      const page = {
        ...file,
        ...parsed,
        language: languageOf(file.data, parsed.pathLanguage, defaultLanguage),
        visibility: readPageVisibility(file.data, nowMs),
        paths: pathsOf({ ...parsed, isIndex }, file.data),
        isIndex,
        path,
        isHtml,
        readText: () => parse()?.text ?? '',
      };
      const pages = byKey.get(page.key) ?? [];
      const same = pages.find((other) => isSameLanguage(other.language, page.language));
      if (same === undefined) byKey.set(page.key, [...pages, page]);
      else skip(`${same.path} is the same page in the same language`);
    } catch (error) {
      if (error instanceof LecternError) throw error;
      skip(messageOf(error), error instanceof LineError ? error.line : null);
    }
  }
  problems.push(...describeUnopened(scanned));
  for (const pages of byKey.values()) pages.sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  const sorted = new Map([...byKey].sort(([a], [b]) => (a < b ? -1 : 1)));
  return { byKey: sorted, unreadable, problems };

  function sortKey({ language }: Page): string {
    const key = languageKey(language);
    return key === languageKey(defaultLanguage) ? '' : key;
  }
}

/**
 * The language of a page; the default language, too, if a region is added to it. The path decides, and `lang` in front matter only where the
 * path says nothing, or where it says more about the same language: `lang: zh-CN` in the folder `zh`.
 */
function languageOf(
  data: Readonly<Record<string, unknown>>,
  pathLanguage: string | null,
  defaultLanguage: string,
): string {
  const tag = textField(data, 'lang', 'language')?.replaceAll('_', '-') ?? '';
  if (!isLanguageTag(tag)) return pathLanguage ?? defaultLanguage;
  const isOf = (language: string): boolean =>
    [tag, tag.split('-')[0] ?? ''].some((one) => isSameLanguage(one, language));
  if (pathLanguage !== null) return isOf(pathLanguage) ? tag : pathLanguage;
  return isOf(defaultLanguage) ? defaultLanguage : tag;
}

/** Splits a page into its parts; `null` for an HTML file without front matter. Throws an `Error` with a sentence for the author. */
function parsePage(
  source: string,
  isHtml: boolean,
  isVault: boolean,
): { readonly file: PageFile; readonly text: string } | null {
  const oddities: { readonly what: string; readonly line: number }[] = [];
  const cut = parsePageFrontMatter(
    withPlainStart(source),
    (field, line) => oddities.push({ what: `${field} twice`, line }),
    (field, line) =>
      oddities.push({
        what: `a comment behind the value of ${field}, from # on; if it is text, put the value into quotation marks`,
        line,
      }),
  );
  if (isHtml && cut === null) return null;
  const body = cut?.body ?? withPlainStart(source);
  const data = withPlainDate(cut?.data ?? {});
  const written = body.replace(/\r\n?/g, '\n').replaceAll('\0', '');
  if (cut !== null && Object.keys(data).length === 0 && /^---[ \t]*\r?\n\s*#/.test(withPlainStart(source)))
    oddities.push({ what: 'only comments in its front matter, which are not published', line: 2 });
  const given = textField(data, 'title');
  const heading = isHtml ? null : findTitle(written, isVault || given !== null);
  const isTitle = heading !== null && (given === null || heading.text.toLowerCase() === given.toLowerCase());
  const text = isTitle ? heading.rest : written;
  const file = {
    data,
    isBlank: text.replace(invisible, '').trim() === '',
    title: given ?? heading?.text ?? null,
    titleIds: isTitle
      ? [...(heading.id === null ? [] : [heading.id]), slugify(heading.text), gitHubId(heading.text)]
      : [],
    contentHash: hash('sha256', source),
    oddities,
  };
  return { file, text };
}

/** Front matter of a blog of MkDocs, which may have both dates of a page in one field, with a field for each. */
function withPlainDate(data: UnknownRecord): UnknownRecord {
  const { date } = data;
  if (!isRecord(date) || date.created === undefined) return data;
  return { ...data, date: date.created, updated: data.updated ?? date.updated };
}

/** Comments, and lines `[name]: address`, which show nothing. */
const invisible = /<!--[\s\S]*?(?:-->|$(?![\s\S]))|^ {0,3}\[[^\]\n]+\]:[^\n]*$/gm;

/** A text without marks of byte order, with line ends that are not only carriage returns, and without blank lines before its front matter. */
function withPlainStart(source: string): string {
  const lines = source.includes('\n') ? source : source.replaceAll('\r', '\n');
  return lines.replace(/^\uFEFF+/, '').replace(/^\s+(?=---[ \t]*\r?\n)/, '');
}
