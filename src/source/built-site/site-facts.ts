import { parsePage } from '../../content/parse/parse-body.ts';
import { isLanguageTag } from '../../core/language.ts';
import type { LanguageTag } from '../../core/model.ts';
import { readFileInside } from '../folder/safe-files.ts';
import { decodePage, maxPageBytes, metaOf, type ScannedPage, scanPage } from './scan-page.ts';

/** What the home page of a built site says of the whole site. */
interface SiteFacts {
  /** The name of the site, else the title of its home page; `null` if it has neither. */
  readonly name: string | null;
  /** `null` if the home page names none. */
  readonly language: LanguageTag | null;
}

/** Reads the home page of a built site; a site may have none. @param root absolute path */
export function readSiteFacts(root: string): SiteFacts {
  try {
    const page = scanPage(parsePage(decodePage(readFileInside(root, 'index.html', maxPageBytes))));
    const language = page.language?.replaceAll('_', '-') ?? '';
    return {
      name:
        metaOf(page, 'og:site_name', 'application-name', 'apple-mobile-web-app-title') ?? nameInTitle(page),
      language: isLanguageTag(language) ? (Intl.getCanonicalLocales(language)[0] ?? language) : null,
    };
  } catch {
    return { name: null, language: null };
  }
}

/** The name of the site in the title of its home page, if its theme tells where; else the whole title. */
function nameInTitle({ title, theme }: ScannedPage): string | null {
  const [, ...name] = theme?.beforeSiteName === undefined ? [] : (title ?? '').split(theme.beforeSiteName);
  return name.join(theme?.beforeSiteName) || title;
}
