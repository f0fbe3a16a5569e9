import { escapeHtml } from '../../../core/html.ts';
import type { RenderedFile } from '../../pages/assets.ts';
import type { HostFiles, RedirectTable } from '../redirect-table.ts';

/**
 * A page at every old URL that redirects by itself, for hosts without redirects (GitHub Pages and simple web hosting). Search engines treat
 * an immediate refresh as a redirect; `noindex` would prevent them from following it.
 */
export function writeHtmlStubs(table: RedirectTable): HostFiles {
  return { files: stubs(table), limits: [] };
}

/** Makes one page after the other: there may be hundreds of thousands. */
function* stubs({ basePath, rules }: RedirectTable): Generator<RenderedFile> {
  for (const { from, to } of rules) {
    const path = from.slice(basePath.length + 1);
    yield { path: /\.html?$/.test(path) ? path : `${path}/index.html`, content: stub(to) };
  }
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
