import { countOf, listSome } from '../../../core/count-of.ts';

import { escapeHtml } from '../../../core/html.ts';
import type { RenderedFile } from '../../pages/assets.ts';
import type { HostFiles, RedirectRule, RedirectTable } from '../redirect-table.ts';

/** The longest name of a file on usual disks. */
const maxNameBytes = 255;

/** URLs that a message names. */
const shownUrls = 3;

/**
 * A page at every old URL that redirects by itself, for hosts without redirects (GitHub Pages and simple web hosting). Search engines treat
 * an immediate refresh as a redirect; `noindex` would prevent them from following it.
 * @param isFile whether the site has a file at a path
 */
export function writeHtmlStubs(
  { basePath, rules }: RedirectTable,
  isFile: (path: string) => boolean,
): HostFiles {
  const pathOf = ({ from }: RedirectRule): string => {
    const path = from.slice(basePath.length + 1);
    return fileName.test(path) ? path : `${path}/index.html`;
  };
  const canExist = createDiskCheck(isFile);
  const usable: RedirectRule[] = [];
  const others: string[] = [];
  for (const rule of rules) {
    if (canExist(pathOf(rule))) usable.push(rule);
    else others.push(rule.from);
  }
  return {
    files: stubs(usable, pathOf),
    limits:
      others.length === 0
        ? []
        : [
            `no page can be at ${countOf(others.length, 'URL')}, whose names are too long or below a file: ${listSome(others, shownUrls)}`,
          ],
  };
}

const fileName = /\.html?$/;

/** Tells of one path after the other whether a file can be there: its names are short enough, and no folder is needed where a file is. */
function createDiskCheck(isFile: (path: string) => boolean): (path: string) => boolean {
  // Only a stub with such a name is a file where another one may need a folder.
  const files = new Set<string>();
  const folders = new Set<string>();
  return (path) => {
    const names = path.split('/');
    const parents = names.slice(1).map((_, at) => names.slice(0, at + 1).join('/'));
    if (names.some((name) => Buffer.byteLength(name) > maxNameBytes)) return false;
    if (folders.has(path) || parents.some((parent) => files.has(parent) || isFile(parent))) return false;
    if (fileName.test(path)) files.add(path);
    for (const parent of parents) if (fileName.test(parent)) folders.add(parent);
    return true;
  };
}

/** Makes one page after the other: there may be hundreds of thousands. */
function* stubs(
  rules: readonly RedirectRule[],
  pathOf: (rule: RedirectRule) => string,
): Generator<RenderedFile> {
  for (const rule of rules) yield { path: pathOf(rule), content: stub(rule.to) };
}

function stub(to: string): string {
  const href = escapeHtml(to);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${href}</title>
<link rel="canonical" href="${href}">
<meta http-equiv="refresh" content="0; url=${href}">
<p><a href="${href}">${href}</a></p>
</html>
`;
}
