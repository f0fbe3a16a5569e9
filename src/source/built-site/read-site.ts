import { hash } from 'node:crypto';
import { once } from '../../core/concurrency.ts';
import { countEach } from '../../core/group-by.ts';
import { type Problem, problem } from '../../core/problems.ts';
import { describeUnopened } from '../folder/folder-read.ts';
import { readFileInside, type ScannedFiles } from '../folder/safe-files.ts';
import type { FileMemory } from '../snapshot/file-memory.ts';
import { readPage, type SelectorSettings, type SitePage } from './read-page.ts';
import { decodePage, maxPageBytes } from './scan-page.ts';
import type { LooseHtml } from './write-html.ts';

/** A page with the hash of its file. */
interface ReadPage {
  readonly page: SitePage;
  readonly fingerprint: string;
}

interface SiteRead {
  readonly pages: readonly ReadPage[];
  /** `loc` → `lastmod` of the sitemaps. */
  readonly sitemap: ReadonlyMap<string, string | null>;
  readonly problems: readonly Problem[];
}

/**
 * Reads every page of a folder; those that have not changed since the last run are not parsed again, and have no text.
 * @throws PATH_UNUSABLE
 */
export function readSite(
  root: string,
  files: ScannedFiles,
  settings: SelectorSettings,
  memory: FileMemory,
): SiteRead {
  const problems = [...describeUnopened(files)];
  const pages: ReadPage[] = [];
  const keepNavigation = createNavigationKeeper();
  for (const [file, stamp] of files.stamps) {
    if (!/\.html?$/i.test(file)) continue;
    try {
      const readBytes = once(() => readFileInside(root, file, maxPageBytes));
      const read = (): SitePage => readPage(file, decodePage(readBytes()), settings);
      const hashOf = once(() => hash('sha256', readBytes()).slice(0, 32));
      let parsed: SitePage | null = null;
      const made = memory.get(file, {
        stamp,
        hash: hashOf,
        make: () => {
          parsed = keepNavigation(read(), read);
          return { page: { ...parsed, body: { html: null, urls: parsed.body.urls } }, fingerprint: hashOf() };
        },
        isPublic,
      });
      const page = parsed ?? keepNavigation(made.page, read);
      pages.push({ page, fingerprint: made.fingerprint });
    } catch (error) {
      if (!(error instanceof Error) || (error as NodeJS.ErrnoException).code !== 'EFBIG') throw error;
      problems.push(problem('FILE_SKIPPED', `${file}: ${error.message}`, { file }));
    }
  }
  return { pages: nameByHead(pages), sitemap: readSitemaps(root, files), problems };
}

/** What separates the parts of a title: `Chain | Guide | Bikes`. */
export const titleSeparator = /(?<=\S)\s+(?:[-|–—·•»]|::)\s+(?=\S)/g;

/** Parts of the name of a site that are looked for. */
const maxNameParts = 3;

/** Gives pages without a heading the title in their head, without the name of the site, with which most of these titles end. */
function nameByHead(pages: readonly ReadPage[]): readonly ReadPage[] {
  const titled = pages.flatMap(({ page }) =>
    page.skip === null && page.headTitle !== null ? { ...page, headTitle: page.headTitle } : [],
  );
  const usual = findSiteEnd(titled);
  const languages = [...new Set(titled.map(({ language }) => language))];
  const siteEnds = new Map(
    languages.map((one) => [one, findSiteEnd(titled.filter(({ language }) => language === one)) || usual]),
  );
  return pages.map(({ page, fingerprint }) => {
    const { title, headTitle, language } = page;
    if (title !== null || headTitle === null) return { page, fingerprint };
    const siteEnd = siteEnds.get(language) ?? '';
    const length = headTitle.length - (headTitle.endsWith(siteEnd) ? siteEnd.length : 0);
    return { page: { ...page, title: headTitle.slice(0, length) }, fingerprint };
  });
}

/** The longest end that most titles have, but not the headings of their pages: ` | Bikes`. `''` if there is none. */
function findSiteEnd(
  pages: readonly { readonly title: string | null; readonly headTitle: string }[],
): string {
  const ends = pages.flatMap(({ title, headTitle }) =>
    [...headTitle.matchAll(titleSeparator)]
      .slice(-maxNameParts)
      .map(({ index }) => headTitle.slice(index))
      .filter((end) => !title?.endsWith(end)),
  );
  const usual = [...countEach(ends)].filter(([, count]) => count > 2 && count * 2 > pages.length);
  const [first] = usual.sort(([a, countOfA], [b, countOfB]) => countOfB - countOfA || b.length - a.length);
  return first?.[0] ?? '';
}

/** Not a function of the loop above: it is called at the end, and would keep the bytes of every page until then. */
function isPublic({ page }: ReadPage): boolean {
  return page.skip !== 'noindex';
}

/** URLs of all navigations that are kept: if each page has a thousand links, the first pages show the order. */
const maxUrls = 50_000;

/** Keeps one list of each navigation, with the first page that has it. */
function createNavigationKeeper(): (page: SitePage, read: () => SitePage) => SitePage {
  const known = new Set<string>();
  let total = 0;
  return (page, read) => {
    const { navigation } = page;
    if (navigation === null) return page;
    if (known.has(navigation.key)) return { ...page, navigation: { ...navigation, urls: null, groups: [] } };
    // The page that had the list in the last run is gone.
    const own = navigation.urls === null ? read() : page;
    const count = own.navigation?.urls?.length ?? 0;
    if (total + count > maxUrls) return { ...own, navigation: null };
    total += count;
    known.add(navigation.key);
    return own;
  };
}

/** Reads the text of a page that was not parsed. @throws PATH_UNUSABLE */
export function parseBodyAgain(root: string, file: string, settings: SelectorSettings): LooseHtml {
  return readPage(file, decodePage(readFileInside(root, file, maxPageBytes)), settings).body;
}

/** The URLs of the sitemaps of a site with the dates of their last edit. */
function readSitemaps(root: string, { stamps }: ScannedFiles): ReadonlyMap<string, string | null> {
  const found = new Map<string, string | null>();
  for (const file of stamps.keys()) {
    if (!/(?:^|\/)sitemap[^/]*\.xml$/i.test(file)) continue;
    const text = readFileInside(root, file, maxPageBytes).toString();
    for (const [, entry = ''] of text.matchAll(/<url>([\s\S]*?)<\/url>/g)) {
      const loc = /<loc>\s*(?:<!\[CDATA\[)?\s*([^<\]\s]+)/.exec(entry)?.[1]?.replaceAll('&amp;', '&');
      const lastmod = /<lastmod>\s*([^<\s]+)/.exec(entry)?.[1] ?? null;
      if (loc !== undefined) found.set(loc, lastmod);
    }
  }
  return found;
}
