import { transform } from '../content/transform.ts';
import { renderMarkdown } from '../folder/render-markdown.ts';
import { escapeHtml } from '../foundation/html.ts';
import type { ExportArticle } from './fields.ts';

/** Renders the text of an article as HTML, with the same policy as bodies: no scripts, frames or styles. */
export function articleHtml({ markdown, language }: ExportArticle): string {
  return transform(renderMarkdown(markdown), {
    baseUrl: null,
    language,
    resolveLink: () => ({ kind: 'external' }),
    resolveImage: (src) => ({ src, width: null, height: null }),
    sourceHeadingIds: null,
    policy: { iframeHosts: [], classes: [], callouts: {} },
  }).html;
}

/** The article as a complete document, with the title as its heading. */
export function articlePage(article: ExportArticle): string {
  const title = escapeHtml(article.title);
  return [
    `<!doctype html>\n<html lang="${escapeHtml(article.language)}">\n<head>\n<meta charset="utf-8">`,
    `<title>${title}</title>`,
    `<link rel="canonical" href="${escapeHtml(article.url)}">\n</head>\n<body>`,
    `<h1>${title}</h1>\n${articleHtml(article)}\n</body>\n</html>\n`,
  ].join('\n');
}
