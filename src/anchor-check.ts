import type { Document } from './content/document.ts';
import { isTopOfPage } from './content/ids.ts';
import type { ArticlePage } from './plan/plan.ts';
import { type Problem, problem } from './problems.ts';

/** Collects anchors and the links to them over the whole run, since a target may be rendered after its link. */
export interface AnchorCheck {
  add(page: ArticlePage, document: Document): void;
  /** One problem per link whose `#anchor` its target page does not have. */
  problems(): readonly Problem[];
}

interface AnchoredLink {
  readonly articleId: string;
  readonly language: string;
  readonly href: string;
}

export function createAnchorCheck(): AnchorCheck {
  // One joined string per page: a Set per page would cost ten times the memory on a large site.
  const anchorsByHref = new Map<string, string>();
  const links: AnchoredLink[] = [];
  return {
    add(page, document) {
      const anchors = [...document.headings.map(({ id }) => id), ...document.anchors];
      anchorsByHref.set(page.href, `\n${anchors.join('\n')}\n`);
      for (const { kind, fragment, href } of document.links) {
        // The page of a category has no place an author could name, so any anchor on it is missing.
        if (kind === 'internal' && fragment && !isTopOfPage(fragment)) {
          links.push({ articleId: page.articleId, language: page.language, href });
        }
      }
    },
    problems() {
      return links
        .filter(({ href }) => {
          const [target = '', fragment = ''] = href.split('#');
          return !anchorsByHref.get(target)?.includes(`\n${decode(fragment)}\n`);
        })
        .map(({ articleId, language, href }) =>
          problem('ANCHOR_MISSING', `the link ${href} names an anchor its page does not have`, {
            articleId,
            language,
          }),
        );
    },
  };
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
