import { parsePage } from '../../content/parse/parse-body.ts';
import { attribute } from '../../content/parse/source-tree.ts';
import { readFileInside } from '../folder/safe-files.ts';
import { lineBelow, selector } from './select.ts';

/** Largest home page that is read, in bytes. */
const maxPageBytes = 16 * 1024 * 1024;

const namedIn = [
  'meta[property="og:site_name"]',
  'meta[name="application-name" i]',
  'meta[name="apple-mobile-web-app-title" i]',
];

/** The name of a built site: as its home page says, else the title of that page; `null` if there is neither. @param root absolute path */
export function readSiteName(root: string): string | null {
  try {
    const page = parsePage(readFileInside(root, 'index.html', maxPageBytes).toString());
    for (const one of namedIn) {
      const node = selector(one).first(page);
      const name = node === null ? '' : (attribute(node, 'content')?.trim() ?? '');
      if (name !== '') return name;
    }
    const title = selector('title').first(page);
    return title === null ? null : lineBelow(title) || null;
  } catch {
    // A site may have no home page.
    return null;
  }
}
