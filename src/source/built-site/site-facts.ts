import { parsePage } from '../../content/parse/parse-body.ts';
import { orNull } from '../../core/errors.ts';
import { isLanguageTag } from '../../core/language.ts';
import type { LanguageTag } from '../../core/model.ts';
import { readFileInside } from '../folder/safe-files.ts';
import { titleSeparator } from './read-site.ts';
import { decodePage, maxPageBytes, metaOf, type ScannedPage, scanPage } from './scan-page.ts';

/** What the home page of a built site says of the whole site. */
interface SiteFacts {
  /** The name of the site, else the title of its home page; `null` if it has neither. */
  readonly name: string | null;
  /** `null` if the home page names none. */
  readonly language: LanguageTag | null;
}

/**
 * Reads the home page of a built site; a site may have none.
 * @param root absolute path
 * @param others files of other pages, relative to `root`
 */
export function readSiteFacts(root: string, others: readonly string[] = []): SiteFacts {
  const page = readHead(root, 'index.html');
  if (page === null) return { name: null, language: null };
  const language = page.language?.replaceAll('_', '-') ?? '';
  const named = metaOf(page, 'og:site_name', 'application-name', 'apple-mobile-web-app-title');
  return {
    name: named ?? nameInTitle(root, page.title ?? '', others),
    language: isLanguageTag(language) ? (Intl.getCanonicalLocales(language)[0] ?? language) : null,
  };
}

function readHead(root: string, file: string): ScannedPage | null {
  return orNull(() => scanPage(parsePage(decodePage(readFileInside(root, file, maxPageBytes)))));
}

/** Pages whose titles are compared with that of the home page. */
const maxOthers = 3;

/** What the title of the home page begins or ends with, and that of another page ends with: `Bikes` of `Home | Bikes`. Else the whole title. */
function nameInTitle(root: string, title: string, others: readonly string[]): string | null {
  const starts = [...title.matchAll(titleSeparator)].map(({ index }) => title.slice(0, index));
  const parts = new Set([title, ...starts, ...endsOf(title)]);
  for (const file of others.slice(0, maxOthers)) {
    const other = readHead(root, file)?.title ?? title;
    const name = other === title ? undefined : endsOf(other).find((end) => parts.has(end));
    if (name !== undefined) return name;
  }
  return title || null;
}

/** The parts of a title behind each of its separators, the longest first. */
function endsOf(title: string): readonly string[] {
  return [...title.matchAll(titleSeparator)].map(({ index, 0: separator }) =>
    title.slice(index + separator.length),
  );
}
