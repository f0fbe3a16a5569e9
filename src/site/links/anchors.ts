import type { Document } from '../../content/document.ts';
import { isTopOfPage } from '../../content/policy/ids.ts';
import { splitFragment } from '../../content/policy/url-policy.ts';
import { decodePercent } from '../../core/addresses.ts';
import { oncePerKey } from '../../core/concurrency.ts';
import { type Problem, problem } from '../../core/problems.ts';
import type { ArticlePage } from '../plan/plan.ts';

/** Collects anchors and the links to them during the whole run, because a link may be rendered before its target. */
export interface AnchorCheck {
  add(page: ArticlePage, facts: AnchorFacts): void;
  /** One problem per link whose `#anchor` does not exist on its target page. */
  problems(): readonly Problem[];
}

/** The anchors of one page, and its links with a fragment. Plain data. */
export interface AnchorFacts {
  /** One per line, with a line feed before and after each. */
  readonly anchors: string;
  /** URLs within the site. */
  readonly links: readonly string[];
}

/** The anchors of a document, and its links to anchors of pages of the site. Pure. */
export function describeAnchors(document: Document): AnchorFacts {
  const anchors = [...document.headings.map(({ id }) => id), ...document.anchors];
  return {
    anchors: `\n${anchors.join('\n')}\n`,
    links: document.links.flatMap(({ kind, fragment, href }) =>
      // A category page has no anchors from authors, so every anchor on it is missing.
      kind === 'internal' && fragment && !isTopOfPage(fragment) ? [href] : [],
    ),
  };
}

/** A link with a fragment. */
type AnchoredLink = readonly [articleId: string, language: string, href: string];

/** Starts a check that knows no page. */
export function createAnchorCheck(): AnchorCheck {
  /** As in {@link AnchorFacts}, by the `href` of the page. */
  const anchors = new Map<string, string>();
  const links: AnchoredLink[] = [];
  return {
    add({ href, articleId, language }, facts) {
      anchors.set(href, facts.anchors);
      for (const link of facts.links) links.push([articleId, language, link]);
    },
    problems() {
      const anchorsOf = oncePerKey(
        (href: string): ReadonlySet<string> => new Set(anchors.get(href)?.slice(1, -1).split('\n')),
      );
      return links.flatMap(([articleId, language, href]) => {
        const [target = '', fragment = ''] = href.split('#');
        if (anchorsOf(target).has(decodePercent(splitFragment(fragment).fragment))) return [];
        const message = `the link ${href} names an anchor that the page does not have`;
        return [problem('ANCHOR_MISSING', message, { articleId, language })];
      });
    },
  };
}
