import type { ContentSettings, Document } from './document.ts';
import { cleanBody } from './tree/clean-body.ts';
import { assignHeadingIds } from './tree/headings.ts';
import { resolveFragments } from './tree/links.ts';
import { writeHtml } from './write/write-html.ts';
import { writeMarkdown } from './write/write-markdown.ts';
import { writeText } from './write/write-text.ts';

/**
 * Turns one author body (hostile HTML) into everything the site and the feed publish of it. Pure; never throws, whatever the
 * body is, unless one of the resolvers does.
 */
export function transform(body: string, settings: ContentSettings): Document {
  const { root, anchored, context } = cleanBody(body, settings);
  const { headings, anchors, ids } = assignHeadingIds(context.headings, anchored, settings.sourceHeadingIds);
  resolveFragments(context, ids);
  return {
    html: writeHtml(root),
    headings,
    ...writeMarkdown(root),
    ...writeText(root),
    links: [...context.linkDetails].map(({ href, target, articleId, fragment }) => ({
      href,
      kind: target,
      articleId,
      fragment,
    })),
    images: context.images,
    files: context.files,
    anchors,
    problems: context.problems,
  };
}
