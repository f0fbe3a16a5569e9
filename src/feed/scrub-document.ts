import type { Document, Heading } from '../content/document.ts';
import { scrubMarkdown } from './scrub-markdown.ts';
import { isPrivateUrl, scrubUrl, scrubUrls } from './scrub-urls.ts';

/** What of a document goes into the feed. */
export interface FeedDocument {
  readonly markdown: string;
  readonly text: string;
  readonly headings: readonly Heading[];
  /** Articles of this knowledge base that are linked to, once each, in order. */
  readonly linkedArticleIds: readonly string[];
  /** Other http(s) addresses that are linked to, once each, in order. */
  readonly externalLinks: readonly string[];
  readonly images: readonly { readonly src: string; readonly alt: string | null }[];
}

/** Takes credentials, signatures and private addresses out of a document. Pure. */
export function scrubDocument(document: Document): FeedDocument {
  const external = document.links.flatMap((link) =>
    link.kind === 'external' && /^https?:/i.test(link.href) ? [scrubUrl(link.href)] : [],
  );
  const linked = document.links.flatMap((link) =>
    link.kind === 'internal' && link.articleId !== null ? [link.articleId] : [],
  );
  return {
    markdown: scrubMarkdown(document.markdown),
    text: scrubUrls(document.text),
    headings: document.headings,
    linkedArticleIds: [...new Set(linked)],
    externalLinks: [...new Set(external)].filter((url) => !isPrivateUrl(url)),
    images: document.images
      .filter(({ url }) => !url.startsWith('data:') && !isPrivateUrl(url))
      .map(({ url, alt }) => ({ src: scrubUrl(url), alt })),
  };
}
